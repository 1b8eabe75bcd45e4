# Texts of the activity view.

# Texts of the keys view.

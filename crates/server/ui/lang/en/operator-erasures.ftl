# The operator's console: receipts of erasures.

operator-erasures-title = Erasures
operator-erasures-lead = The receipts of brands and people that were erased.
operator-erasures-subject = What was erased
operator-erasures-subject-brand = Brand id
operator-erasures-subject-user = Pseudonym in the history
operator-erasures-kind = Kind
operator-erasures-kind-brand = Brand
operator-erasures-kind-user = Person
operator-erasures-rows = Rows
operator-erasures-by = Requested by
operator-erasures-requested = Requested
operator-erasures-finished = Finished
operator-erasures-empty = Nothing was erased yet
operator-erasures-empty-hint = When a brand or a person is erased, the receipt is kept here.
operator-erasures-back = All erasures
operator-erasures-receipt = Receipt of an erasure
operator-erasures-not-loaded = The receipt could not be loaded.
operator-erasures-running-brand = { $count ->
    [one] The brand is being erased: one row is deleted so far
   *[other] The brand is being erased: { $count } rows are deleted so far
}
operator-erasures-running-user = { $count ->
    [one] The person is being erased: one row is changed so far
   *[other] The person is being erased: { $count } rows are changed so far
}
operator-erasures-running-next = A minute after the last row all tables are searched again. You can leave this page: the work goes on.
operator-erasures-done-brand = { $count ->
    [one] The brand is erased: one row was deleted
   *[other] The brand is erased: { $count } rows were deleted
}
operator-erasures-done-user = { $count ->
    [one] The person is erased: one row was changed
   *[other] The person is erased: { $count } rows were changed
}
operator-erasures-done-next-brand = Only this receipt names the brand now. Its id cannot be used again.
operator-erasures-done-next-user = This receipt does not name the person either. Keep its id if you have to prove the erasure.

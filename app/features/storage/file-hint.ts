/** Hint of a file field where no script checks the files. */
export const FILE_LIMIT = "Pictures and PDF, at most 5 files of 10 MB each.";

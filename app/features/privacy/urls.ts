/** Returns the path of the page that downloads and deletes a person's data, for admins. */
export const personalDataPath = (subject: { customer: string } | { chat: string }) =>
  `/admin/personal-data?${new URLSearchParams(subject)}`;

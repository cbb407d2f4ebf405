import { next, post, staff } from "./shop.ts";

const invited = () => ({
  ...{ email: `colleague${next()}@mail.example`, firstName: "Jonas", lastName: "Brandt" },
  roles: "seller",
});

/** Forms by which colleagues are invited. */
export const INVITATIONS = [
  staff("users invite", async () => ({ path: "/admin/users-management?dialog=invite", fields: invited() })),
  ...["resendInvitation", "revokeInvitation"].map((act) =>
    staff(`users ${act}`, async (shop) => {
      const { id } = await post<{ id: string }>(shop, "user/invite", invited());
      return { path: "/admin/users-management", fields: { id } };
    }),
  ),
];

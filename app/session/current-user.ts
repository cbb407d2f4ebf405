/** Signed-in user. */
export interface CurrentUser {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  phoneNumber: string;
  photoUrl: string;
  isAdmin: boolean;
  isManager: boolean;
  isUser: boolean;
  /** Epoch seconds. */
  createdAt: number;
}

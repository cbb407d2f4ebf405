/** Forwards every request, so that the server behind it is reached in the same way as the shop. */
export default {
  fetch(request, { BEHIND }) {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(BEHIND + pathname + search, request));
  },
};

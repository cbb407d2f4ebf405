/** Passes everything on: what stands behind it is served the same way as the shop. */
export default {
  fetch(request, { BEHIND }) {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(BEHIND + pathname + search, request));
  },
};

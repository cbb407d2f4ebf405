/**
 * Stands in the browser's code for turbo-stream, which only single fetch needs: that is off (remix.config.js), and
 * what never runs need not be sent.
 */
export const decode = () => Promise.reject(new Error("Single fetch is off."));
export const encode = decode;

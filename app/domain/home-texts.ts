/** Texts of the home page where the owner has written none. */
export const USUAL_HEADLINE = "Have a look round, then ask.";
export const USUAL_INTRODUCTION =
  "Phone cases, cables, jewelry, things for the house, and a laser that writes names on wood and steel. There is no checkout: you write to us, a person answers, you collect.";

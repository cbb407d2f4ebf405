/** Characters of an engraving, as the maxlength of its field counts them. Apart, since every product's page needs it. */
export const MAX_ENGRAVING = 60;

/**
 * Characters that no name may contain: controls, lone surrogates, noncharacters, and the marks that change the direction
 * of the text around a name, with which it could look like another one. Zulip's servers allow these marks.
 */
export const forbiddenInNames = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u202a-\u202e\u2066-\u2069]/u;

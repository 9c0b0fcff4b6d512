/** Characters that no name may contain: controls, lone surrogates and noncharacters. */
export const forbiddenInNames = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

import {badRequest} from '#server/http/errors.ts';

/**
 * Characters that no name may contain: controls, lone surrogates, noncharacters, and the marks that change the direction
 * of the text around a name, with which it could look like another one. Zulip's servers allow these marks.
 */
export const forbiddenInNames = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u202a-\u202e\u2066-\u2069]/u;

export function checkNameCharacters(name: string, what: string): void {
  const position = Array.from(name).findIndex((character) => forbiddenInNames.test(character));
  if (position >= 0) throw badRequest(`Invalid character in ${what}, at position ${position + 1}.`);
}

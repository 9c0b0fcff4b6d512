import {badRequest} from '#server/http/errors.ts';
import {profileFieldTypes} from '#wire/objects/profile-field.ts';
import {externalAccount} from './external-accounts.ts';

type FieldDataInput = Readonly<Record<string, unknown>> | undefined;

/**
 * Returns the extra data of a profile field as stored: JSON text for the types that have some, else the empty string.
 */
export function checkedFieldData(type: number, input: FieldDataInput): string {
  if (type === profileFieldTypes.dropdown) return JSON.stringify(checkedChoices(input ?? {}));
  if (type === profileFieldTypes.externalAccount) return JSON.stringify(checkedAccount(input ?? {}));
  return '';
}

function checkedChoices(input: Readonly<Record<string, unknown>>) {
  const choices: Record<string, {text: string; order: string}> = {};
  const texts = new Set<string>();
  for (const [key, choice] of Object.entries(input)) {
    if (key.trim() === '') throw badRequest("'value' cannot be blank.");
    if (typeof choice !== 'object' || choice === null || !('text' in choice) || !('order' in choice)) {
      throw badRequest('Each choice needs a text and an order.');
    }
    const {text, order} = choice;
    if (typeof text !== 'string' || typeof order !== 'string') {
      throw badRequest('The text and the order of a choice are strings.');
    }
    if (text.trim() === '') throw badRequest("'text' cannot be blank.");
    texts.add(text.trim());
    choices[key] = {text, order};
  }
  const count = Object.keys(choices).length;
  if (count === 0) throw badRequest('Field must have at least one choice.');
  if (texts.size < count) throw badRequest('Field must not have duplicate choices.');
  return choices;
}

function checkedAccount(input: Readonly<Record<string, unknown>>): {subtype: string; url_pattern?: string} {
  const {subtype, url_pattern: pattern} = input;
  if (typeof subtype !== 'string' || subtype === '') throw badRequest('Field data has no subtype.');
  if (subtype !== 'custom') {
    if (externalAccount(subtype) === undefined) throw badRequest('Invalid external account type');
    return {subtype};
  }
  if (typeof pattern !== 'string') throw badRequest('Custom external account must define URL pattern');
  if (pattern.split('%(username)s').length !== 2) {
    throw badRequest("URL pattern must contain '%(username)s' once.");
  }
  const example = pattern.replace('%(username)s', 'username');
  if (!/^https?:\/\//.test(example) || !URL.canParse(example)) throw badRequest('Malformed URL pattern.');
  return {subtype, url_pattern: pattern};
}

import {badRequest, check, required} from '#server/errors.ts';
import {ownValue} from '#std/own-value.ts';
import {isRecord} from '#std/parse-json.ts';
import {profileFieldTypes} from '#wire/objects/user.ts';

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
    check(key.trim() !== '', "'value' cannot be blank.");
    check(isRecord(choice), 'field_data is not a dict');
    const text = requiredText(choice, 'text');
    const order = requiredText(choice, 'order');
    texts.add(text.trim());
    choices[key] = {text, order};
  }
  const count = Object.keys(choices).length;
  check(count !== 0, 'Field must have at least one choice.');
  if (texts.size < count) throw badRequest('Field must not have duplicate choices.');
  return choices;
}

/** Returns a text of the field's data; the sentences name all parts of the data alike, as on Zulip's servers. */
function requiredText(data: Readonly<Record<string, unknown>>, key: string): string {
  const text = required(data[key], `${key} key is missing from field_data`);
  check(typeof text === 'string', `field_data["${key}"] is not a string`);
  check(text.trim() !== '', `field_data["${key}"] cannot be blank.`);
  return text;
}

/** A host has a dot, or is this computer. */
const webAddress = /^https?:\/\/(?:[^/?#]*[^/?#.]\.[^/?#.]|localhost\b)/i;

function checkedAccount(input: Readonly<Record<string, unknown>>): {subtype: string; url_pattern?: string} {
  const subtype = requiredText(input, 'subtype');
  const pattern = input.url_pattern;
  if (subtype !== 'custom') {
    check(externalAccount(subtype) !== undefined, 'Invalid external account type');
    return {subtype};
  }
  check(typeof pattern === 'string', 'Custom external account must define URL pattern');
  check(pattern.split('%(username)s').length === 2, "URL pattern must contain '%(username)s' once.");
  const example = pattern.replace('%(username)s', 'username');
  check(webAddress.test(example) && URL.canParse(example), 'field_data["url_pattern"] is not a URL');
  return {subtype, url_pattern: pattern};
}

interface ExternalAccount {
  readonly name: string;
  readonly text: string;
  readonly hint: string;
  readonly url_pattern: string;
}

/** The services that a profile field can link to without a custom URL pattern. */
export const externalAccounts: Readonly<Record<string, ExternalAccount>> = {
  github: {
    name: 'GitHub username',
    text: 'GitHub',
    hint: '',
    url_pattern: 'https://github.com/%(username)s',
  },
  twitter: {
    name: 'Twitter username',
    text: 'Twitter',
    hint: '',
    url_pattern: 'https://twitter.com/%(username)s',
  },
};

export function externalAccount(subtype: unknown): ExternalAccount | undefined {
  return ownValue(externalAccounts, String(subtype));
}

import {isSettingName} from '#server/accounts/user-settings.ts';
import type {ServerContext} from '#server/context.ts';
import {fold} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {topicsPolicies} from '#wire/objects/channel.ts';

/** The words of the API for which the tables of Zulip's servers have numbers, from 1 on. */
const numberedWords = {
  topics_policy: topicsPolicies,
  message_edit_history_visibility_policy: ['all', 'moves', 'none'],
  resolved_topic_notice_auto_read_policy: ['always', 'except_followed', 'never'],
} as const;

export function wordNumber(setting: keyof typeof numberedWords, word: string): number {
  const words: readonly string[] = numberedWords[setting];
  return words.indexOf(word) + 1;
}

/** Returns a value for a column; a number outside of the column's bits, which would end the import, becomes the nearest. */
export function columnValue<T>(value: T, bits: 16 | 32): T | number {
  return typeof value === 'number' ? Math.max(-1, Math.min(value, 2 ** (bits - 1) - 1)) : value;
}

/** Returns personal settings as columns of Zulip's tables. The time zone is no setting there. */
export function exportedSettings(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = Object.entries(settings).filter(([name]) => isSettingName(name) && name !== 'timezone');
  return Object.fromEntries(
    known.map(([name, value]) => {
      if (name === 'resolved_topic_notice_auto_read_policy') return [name, wordNumber(name, String(value))];
      return [name, columnValue(value, name === 'email_notifications_batching_period_seconds' ? 32 : 16)];
    }),
  );
}

/** Returns the name of an emoji's kind in the tables of Zulip's servers. */
export function exportedReactionType(type: string): string {
  if (type === '') return 'unicode_emoji';
  return type === 'extra_emoji' ? 'zulip_extra_emoji' : type;
}

/** The subject of direct messages. */
export const directSubject = '\u0007';

/** The host of addresses that stand for others; it never receives mail. */
const placeholderHost = 'parley.invalid';

/** The addresses that Django accepts. */
const acceptedAddress =
  /^(?=.{1,254}$)[-!#$%&'*+/=?^_`{}|~0-9a-z]+(?:\.[-!#$%&'*+/=?^_`{}|~0-9a-z]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}(?<!-)$/i;

export function isExportableAddress(email: string): boolean {
  return acceptedAddress.test(email);
}

/** Returns the address of a user whose own one is hidden, or would be refused. */
export function placeholderAddress(userId: number): string {
  return `user${userId}@${placeholderHost}`;
}

/** Returns a file name as Zulip's servers change it for paths. */
export function exportedFileName(name: string): string {
  const safe = name
    .normalize('NFKC')
    // Python does not count U+FEFF as a space.
    .replace(/[^\p{L}\p{N}_\s.-]|\uFEFF/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-');
  return /^\.{0,2}$/.test(safe) ? 'uploaded-file' : safe;
}

/** Returns a text as the database of Zulip's servers compares it whatever its case: character by character. */
export function caseKey(text: string): string {
  const upper = (character: string) => {
    const changed = character.toUpperCase();
    return changed.length === character.length ? changed : character;
  };
  return [...text.replaceAll('İ', 'i')].map(upper).join('');
}

/** Returns the path of an uploaded file in the export: its last part must be a file name that is not changed. */
export function exportedPath(pathId: string): string {
  const at = pathId.lastIndexOf('/') + 1;
  return pathId.slice(0, at) + exportedFileName(pathId.slice(at));
}

/** Returns a text in which the paths of files are those of the export. */
export function withExportedPaths(text: string, paths: readonly string[]): string {
  return paths.reduce((changed, path) => changed.replaceAll(path, exportedPath(path)), text);
}

/** A mention with the id of the user, which the other server replaces only in HTML. */
const numberedMention = /@(_?)\*\*([^*|\n]*)\|(\d{1,15})\*\*/g;

/**
 * Returns a text in which mentions have no ids, except those of people whose name others have too, and whether there are
 * such. `html` is the text's rendering, which says what is a mention.
 */
export function withoutIds(
  text: string,
  server: ServerContext,
  html: () => string,
): {readonly content: string; readonly hasIds: boolean} {
  let hasIds = false;
  const content = text.replace(numberedMention, (mention, silent, _name, id) => {
    const name = html().includes(`data-user-id="${id}"`) ? uniqueName(server, Number(id)) : undefined;
    if (name === undefined) hasIds = true;
    return name === undefined ? mention : `@${silent}**${name}**`;
  });
  return {content, hasIds};
}

/** Returns the name of a user if nobody else has it. */
function uniqueName({db}: ServerContext, userId: number): string | undefined {
  const name = findUser(db, userId)?.full_name;
  if (name === undefined) return undefined;
  return db.value('SELECT COUNT(*) FROM user WHERE name_key = ?', fold(name)) === 1 ? name : undefined;
}

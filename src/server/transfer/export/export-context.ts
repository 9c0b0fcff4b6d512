import {type FileHandle, open} from 'node:fs/promises';
import {isSettingName} from '#server/accounts/user-settings.ts';
import type {ServerContext} from '#server/context.ts';
import {directConversationKey} from '#server/db/messages.ts';
import {type Loss, type NewIds, originalTable, rewriteHtml, rewriteText} from '#server/transfer/references.ts';
import {topicsPolicies} from '#wire/objects/channel.ts';
import type {GroupSetting} from '#wire/objects/group.ts';
import {futureIds, ownIds, type TargetIds} from './target-ids.ts';

/** The client of what is stored without one. */
const unnamedClient = 'Unspecified';

const maxClientLength = 30;

/**
 * What an export contains: everything, what is public, or what is public and what those people may read who agreed that
 * their private data is exported.
 */
export type ExportScope = 'everything' | 'public' | 'consented';

/** The people who agreed, and their bots. */
const consentingSql = `
  WITH person AS (SELECT id FROM user WHERE is_bot = 0 AND json_extract(settings, '$.allow_private_data_export'))
  SELECT id FROM person UNION SELECT id FROM user WHERE is_bot = 1
    AND (json_extract(settings, '$.allow_private_data_export') OR bot_owner_id IN (SELECT id FROM person))`;

const lossWords: Readonly<Record<Loss, string>> = {
  link: 'links that need an id (now text)',
  message: 'links to messages (now to the topic)',
  mention: 'mentions that need an id (text, once the message is edited)',
  emoji: 'custom emoji in messages with HTML (shown by their names)',
};

/** What the tables of one export share: the organization, and the ids that only the export has. */
export class ExportContext {
  readonly server: ServerContext;
  readonly scope: ExportScope;
  /** The people whose private data is part of the export; undefined for everybody. */
  readonly consenting: ReadonlySet<number> | undefined = undefined;
  /** UNIX seconds. */
  readonly now: number;
  /** The groups without a name: values of permissions that are made of people and groups. Their ids follow the named ones. */
  readonly unnamedGroups: {id: number; members: readonly number[]; subgroups: readonly number[]}[] = [];
  readonly #namedGroups: number;
  readonly #clients = new Map<string, number>();
  #kind = '';
  readonly #texts = new Set<string>();
  /** The conversations of scheduled messages that have no message yet, by key. */
  readonly newConversations = new Map<string, number>();
  /** The scheduled messages that link to a file, by path. */
  readonly scheduledUploads = new Map<string, number[]>();
  /** The custom emoji that move. */
  readonly animatedEmoji = new Set<number>();
  /** What could not be exported as it is, and how often. */
  readonly changes = new Map<string, number>();
  /** What the other server will know as the first rows of its tables; undefined if its ids are not known. */
  readonly target: TargetIds | undefined;
  /** The ids as they are, and those on the other server. */
  readonly ownIds: NewIds;
  readonly futureIds: NewIds;
  /** Whether a mention of the last text has no form for the other server. */
  hasLostMention = false;

  constructor(server: ServerContext, scope: ExportScope, target?: TargetIds) {
    const {db, clock} = server;
    this.server = server;
    this.scope = scope;
    this.target = target;
    this.ownIds = ownIds(server);
    this.futureIds = futureIds(server, target, (loss) => this.#noteLoss(loss));
    if (scope !== 'everything') this.consenting = new Set(scope === 'public' ? [] : db.pluck(consentingSql));
    this.now = Math.floor(clock.now() / 1000);
    this.#namedGroups = db.value('SELECT MAX(id) FROM user_group') ?? 0;
    const names = db.pluck<string>('SELECT client FROM message UNION SELECT client FROM scheduled_message');
    for (const name of [unnamedClient, ...names]) this.clientId(name);
  }

  /** Returns the permissions with a group id as the value of each. */
  groupIds(permissions: Readonly<Record<string, GroupSetting>>): Record<string, number> {
    return Object.fromEntries(Object.entries(permissions).map(([name, setting]) => [name, this.#groupId(setting)]));
  }

  #groupId(setting: GroupSetting): number {
    if (typeof setting === 'number') return setting;
    const id = this.#namedGroups + this.unnamedGroups.length + 1;
    this.unnamedGroups.push({id, members: setting.direct_members, subgroups: setting.direct_subgroups});
    return id;
  }

  /** Returns whether the export contains what belongs to this person alone. */
  hasPrivateDataOf(userId: unknown): boolean {
    return this.consenting === undefined || this.consenting.has(Number(userId));
  }

  get clients(): Iterable<[name: string, id: number]> {
    return this.#clients;
  }

  clientId(client: string): number {
    const name = client === '' ? unnamedClient : client.slice(0, maxClientLength);
    const id = this.#clients.get(name) ?? this.#clients.size + 1;
    this.#clients.set(name, id);
    return id;
  }

  /** Returns the recipient of a direct conversation; one that does not exist yet becomes part of the export. */
  directRecipient(userIds: Iterable<number>): number {
    const {db} = this.server;
    const key = directConversationKey(userIds);
    const stored = db.value('SELECT id FROM dm WHERE key = ?', key) ?? this.newConversations.get(key);
    const id = stored ?? (db.value('SELECT MAX(id) FROM dm') ?? 0) + this.newConversations.size + 1;
    if (stored === undefined) this.newConversations.set(key, id);
    return id * 2 + 1;
  }

  /** Returns whether the other server would take no earlier text of this kind for the same. One kind follows another. */
  isFirst(kind: string, text: string): boolean {
    if (this.#kind !== kind) this.#texts.clear();
    this.#kind = kind;
    const size = this.#texts.size;
    return this.#texts.add(caseKey(text)).size > size;
  }

  /** Returns a name, with a number if the other server would take it for one that was given. */
  uniqueName(kind: string, name: string): string {
    if (this.isFirst(kind, name)) return name;
    this.noteChange(`names of ${kind} that a Zulip server takes for those of others (numbered)`);
    for (let number = 2; ; number++) {
      const numbered = `${name.slice(0, 50)} (${number})`;
      if (this.isFirst(kind, numbered)) return numbered;
    }
  }

  #noteLoss(loss: Loss): void {
    if (loss === 'mention') this.hasLostMention = true;
    const isDeleted = loss === 'message' && this.target !== undefined;
    this.noteChange(isDeleted ? 'links to messages that are not in the export (now to the topic)' : lossWords[loss]);
  }

  /** Returns a text outside of messages with the ids of the other server. */
  futureText(text: string): string {
    if (text.includes('/user_uploads/'))
      this.noteChange('links to files outside of messages (they get new addresses there)');
    return rewriteText(text, this.futureIds);
  }

  /** Returns HTML with the ids of the other server, except those that its importer replaces itself. */
  futureHtml(html: string, isRenumbered: boolean): string {
    // The text of the HTML has the same links and mentions.
    const onLoss = (loss: Loss) => (loss === 'emoji' ? this.#noteLoss(loss) : undefined);
    return rewriteHtml(html, {...this.futureIds, onLoss}, isRenumbered);
  }

  noteChange(what: string): void {
    this.changes.set(what, (this.changes.get(what) ?? 0) + 1);
  }
}

export type ExportRow = Readonly<Record<string, unknown>>;

/**
 * A table of Zulip's export. Its rows come from SQL, or from `rows`, or it is empty. A column whose name ends in `?` is
 * a boolean. Rows without an id are numbered. `change` completes a row, or leaves it out.
 */
export interface ExportTable {
  /** Without `zerver_`. */
  readonly name: string;
  readonly sql?: string;
  readonly rows?: (context: ExportContext) => Iterable<ExportRow>;
  // biome-ignore lint/suspicious/noExplicitAny: the columns of `sql`
  readonly change?: (row: any, context: ExportContext) => ExportRow | undefined;
  /** The columns with texts of people, in which ids are those of the other server. */
  readonly texts?: readonly string[];
  /** Makes the row for the other server, or leaves it out for it. */
  // biome-ignore lint/suspicious/noExplicitAny: the columns of `sql`
  readonly rewrite?: (row: any, context: ExportContext) => ExportRow | undefined;
  /** Whether the table is part of this export; always if undefined. */
  readonly isNeeded?: (context: ExportContext) => boolean;
  /** Whether its rows belong to one person each, who did not make them public; then the first column of `sql` names it. */
  readonly isPersonal?: true;
}

/** A row for the other server, and the columns of it that are different here. */
export interface WrittenRow {
  readonly row: ExportRow | undefined;
  readonly original: ExportRow | undefined;
}

export function writtenRow(own: ExportRow, row: ExportRow | undefined): WrittenRow {
  const changed = Object.entries(own).filter(([key, value]) => value !== row?.[key]);
  return {row, original: changed.length === 0 ? undefined : {id: own.id, ...Object.fromEntries(changed)}};
}

/** Yields the rows of a table as they are written. */
export function* tableRows(table: ExportTable, context: ExportContext): Generator<WrittenRow> {
  const {sql, rows, change = (row) => row, isPersonal, texts = [], rewrite = (row) => row} = table;
  const stored = sql === undefined ? [] : context.server.db.each(sql).map(withBooleans);
  const withTexts = (row: ExportRow, changed: (text: string) => string) =>
    texts.length === 0
      ? row
      : {...row, ...Object.fromEntries(texts.map((key) => [key, changed(String(row[key] ?? ''))]))};
  let id = 0;
  for (const source of [rows?.(context) ?? [], stored]) {
    for (const from of source) {
      const row = isPersonal && !context.hasPrivateDataOf(Object.values(from)[0]) ? undefined : change(from, context);
      if (row === undefined) continue;
      const own = withTexts({id: ++id, ...row}, (text) => rewriteText(text, context.ownIds));
      yield writtenRow(
        own,
        rewrite(
          withTexts(own, (text) => context.futureText(text)),
          context,
        ),
      );
    }
  }
}

function withBooleans(row: ExportRow): ExportRow {
  const booleans = Object.entries(row).map(([name, value]) =>
    name.endsWith('?') ? [name.slice(0, -1), value === null ? null : value === 1] : [name, value],
  );
  return Object.fromEntries(booleans);
}

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

/** The addresses that Django accepts. */
const acceptedAddress =
  /^(?=.{1,254}$)[-!#$%&'*+/=?^_`{}|~0-9a-z]+(?:\.[-!#$%&'*+/=?^_`{}|~0-9a-z]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}(?<!-)$/i;

export function isExportableAddress(email: string): boolean {
  return acceptedAddress.test(email);
}

/** Returns the address of a user whose own one is hidden, or would be refused. Its host never receives mail. */
export function placeholderAddress(userId: number): string {
  return `user${userId}@parley.invalid`;
}

/** Returns a text as the database of Zulip's servers compares it whatever its case: character by character. */
export function caseKey(text: string): string {
  const upper = (character: string) => {
    const changed = character.toUpperCase();
    return changed.length === character.length ? changed : character;
  };
  return [...text.replaceAll('İ', 'i')].map(upper).join('');
}

/** The characters that are collected before they are written. */
const bufferLength = 1 << 20;

/** NUL, and halves of surrogate pairs: a Zulip server cannot store the first, and cannot read JSON with the others. */
const unreadable = /\\u(?:0000|d[89a-f])/;

/** Returns a value as JSON that Zulip's servers can read. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (!unreadable.test(text)) return text;
  const readable = (part: string) => part.replaceAll('\0', '').toWellFormed();
  return JSON.stringify(value, (_, part) => (typeof part === 'string' ? readable(part) : part));
}

/** A file with one list of rows, or an object of such lists, that is written piece by piece. */
export class JsonFile {
  readonly #file: FileHandle;
  #text: string;
  #lists = 0;
  #rows = 0;

  private constructor(file: FileHandle, text: string) {
    this.#file = file;
    this.#text = text;
  }

  /** Creates the file of an object of lists or, if it starts with `[`, of one list. */
  static async create(path: string, start: '[' | '' = ''): Promise<JsonFile> {
    return new JsonFile(await open(path, 'wx', 0o600), start);
  }

  /** Starts the next list of the object. */
  startList(name: string): void {
    this.#text += `${this.#lists === 0 ? '{' : ']\n,'}${JSON.stringify(name)}:[`;
    this.#lists++;
    this.#rows = 0;
  }

  /**
   * Adds a table, and after it the columns of its rows that are different here: other servers ignore a table that they do
   * not know.
   */
  async addTable(name: string, rows: Iterable<WrittenRow>): Promise<void> {
    this.startList(`zerver_${name}`);
    const originals: string[] = [];
    for (const {row, original} of rows) {
      if (row !== undefined) await this.add(jsonText(row));
      if (original !== undefined) originals.push(jsonText(original));
    }
    if (originals.length === 0) return;
    this.startList(originalTable(name));
    for (const original of originals) await this.add(original);
  }

  /** Adds rows to the list: the JSON of one, or of several with commas between them. */
  async add(json: string): Promise<void> {
    this.#text += this.#rows === 0 ? '\n' : ',\n';
    this.#text += json;
    this.#rows++;
    if (this.#text.length >= bufferLength) await this.#flush();
  }

  /** Ends the file; an object gets these properties too. */
  async close(properties: Readonly<Record<string, unknown>> = {}): Promise<void> {
    this.#text += ']';
    for (const [name, value] of Object.entries(properties)) {
      this.#text += `,${JSON.stringify(name)}:${JSON.stringify(value)}`;
    }
    this.#text += this.#lists > 0 ? '}\n' : '\n';
    await this.#flush();
    await this.#file.close();
  }

  async #flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    await this.#file.appendFile(text);
  }
}

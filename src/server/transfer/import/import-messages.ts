import type {ParseContext} from '#content/parse-context.ts';
import {parseMessage} from '#content/parse-message.ts';
import {maxContentLength, truncateText} from '#server/actions/inputs/message-text.ts';
import {fold, Trait} from '#server/db/rows.ts';
import {collectReferences} from '#server/markdown/message-references.ts';
import type {StoredEdit} from '#server/views/message-details.ts';
import {isRecord, parsedJson} from '#std/parse-json.ts';
import {isResolution} from '#wire/objects/topic.ts';
import {conversationOf, directConversationId} from './import-channels.ts';
import type {Row} from './import-context.ts';
import {clientName, type ImportContext} from './import-context.ts';
import {importUserMessages} from './import-user-messages.ts';
import type {JsonTables} from './json-tables.ts';
import {htmlMentions, type NewIds, rewriteHtml, rewriteText} from './rewrite-text.ts';

/** A text that is longer is no message. A message above the limit of this server is cut, as if it was sent here. */
const maxImportedLength = 1_000_000;
/** The type of notices that a topic was marked as resolved or unresolved. */
const resolutionNotice = 2;

/** Returns a topic as stored: before Zulip 10, messages without a topic have a name for that. */
export function storedTopic(topic: string): string {
  return topic === '(no topic)' ? '' : topic;
}

/** Imports messages file by file, with the flags of everybody who received them. */
export class MessageImporter {
  readonly #context: ImportContext;
  readonly #ids: NewIds;
  /** The number of messages by channel. */
  readonly #counts = new Map<number, number>();
  /** Whether later messages decide about the last rewritten text: it links to one, or to a host that may be our own. */
  #dependsOnLater = false;

  constructor(context: ImportContext, ids: NewIds) {
    this.#context = context;
    this.#ids = {
      ...ids,
      message: (id) => this.#known(ids.message(id)),
      isOwnHost: (host, html) => this.#known(ids.isOwnHost(host, html) || undefined) ?? false,
    };
    context.db.exec(`
      CREATE TABLE work.message (old INTEGER PRIMARY KEY, new INTEGER NOT NULL, channel_id INTEGER, seq INTEGER);
      CREATE TABLE work.later (id INTEGER PRIMARY KEY, content TEXT NOT NULL, html TEXT);
      CREATE TABLE work.named (message INTEGER, user_id INTEGER, PRIMARY KEY (message, user_id)) WITHOUT ROWID;
    `);
  }

  importFile(tables: JsonTables): void {
    const {db, report} = this.#context;
    db.transaction(() => {
      for (const row of tables.rows('zerver_message')) {
        this.#insert(row);
        report.count('message');
      }
      importUserMessages(this.#context, tables);
    });
  }

  /** Rewrites the messages that depend on later ones. */
  finish(): void {
    const {db} = this.#context;
    for (let last = 0; ; ) {
      const select = 'SELECT * FROM work.later WHERE id > ? ORDER BY id LIMIT 1';
      const next = db.get<{id: number; content: string; html: string | null}>(select, last);
      if (next === undefined) return;
      last = next.id;
      const content = this.#cut(rewriteText(next.content, this.#ids, next.html ?? undefined));
      db.run('UPDATE message SET content = ? WHERE id = ?', content, next.id);
      this.#keepHtml(next.id, next.content, next.html ?? undefined);
    }
  }

  #known<T>(value: T | undefined): T | undefined {
    if (value === undefined) this.#dependsOnLater = true;
    return value;
  }

  /** Keeps the HTML that a message had, as if it was sent here, unless its text is cut. */
  #keepHtml(id: number, text: string, html: string | undefined): void {
    const kept = html === undefined || text.length > maxContentLength ? undefined : rewriteHtml(html, this.#ids);
    if (kept === undefined) return;
    this.#context.db.replaceRow('message_html', {message_id: id, html: kept});
  }

  #insert(row: Row): void {
    const {db, users} = this.#context;
    const old = row.number('id');
    const sender = users.of(row, 'sender');
    const {channelId, members} = conversationOf(this.#context, row, sender);
    const original = row.text('content', maxImportedLength);
    const html = row.optionalText('rendered_content', Number.POSITIVE_INFINITY);
    this.#dependsOnLater = false;
    const content = this.#cut(rewriteText(original, this.#ids, html));
    const topic = channelId === undefined ? '' : storedTopic(row.optionalText('subject', 60) ?? '');
    const dependsOnLater = this.#dependsOnLater;
    const edits = this.#edits(row);
    const id = db.insertRow('message', {
      sender_id: sender,
      channel_id: channelId ?? null,
      dm_id: channelId === undefined ? directConversationId(this.#context, members) : null,
      topic,
      topic_key: fold(topic),
      content,
      sent_at: row.time('date_sent'),
      client: clientName(this.#context, row),
      traits: this.#traits(row, old, content, html),
      unread_by_default: channelId === undefined ? 0 : 1,
      edit_history: edits.length === 0 ? null : JSON.stringify(edits),
      last_edit_at: edits.length === 0 ? (row.optionalTime('last_edit_time') ?? null) : newest(edits, isContentEdit),
      last_moved_at: newest(edits, isMove),
    });
    this.#dependsOnLater = dependsOnLater;
    this.#keepHtml(id, original, html);
    if (this.#dependsOnLater)
      db.run('INSERT INTO work.later (id, content, html) VALUES (?, ?, ?)', id, original, html ?? null);
    const seq = (this.#counts.get(channelId ?? 0) ?? 0) + 1;
    this.#counts.set(channelId ?? 0, seq);
    const sql = 'INSERT OR IGNORE INTO work.message (old, new, channel_id, seq) VALUES (?, ?, ?, ?)';
    if (db.run(sql, old, id, channelId ?? null, seq) === 0) row.fail(`the id ${old} is there twice.`);
  }

  #cut(content: string): string {
    const cut = truncateText(content, maxContentLength, '\n[message truncated]');
    if (cut !== content)
      this.#context.report.leaveOut(`ends of messages that have more than ${maxContentLength} characters`);
    return cut;
  }

  /** Returns what the message contains, and stores whom it mentions by name. The HTML knows who had the name then. */
  #traits(row: Row, old: number, content: string, html: string | undefined): number {
    const traits =
      (row.bit('has_link') * Trait.link) |
      (row.bit('has_image') * Trait.image) |
      (row.bit('has_attachment') * Trait.attachment) |
      (content.startsWith('/me ') ? Trait.me : 0) |
      (row.optionalNumber('type') === resolutionNotice ? Trait.resolutionNotice : 0);
    if (!content.includes('@*')) return traits;
    const {users, db} = this.#context;
    const mentions =
      html === undefined ? collectReferences(parseMessage(content, this.#names)).mentions : htmlMentions(html);
    for (const id of mentions.userIds) {
      const user = html === undefined ? id : users.get(id);
      if (user !== undefined) db.run('INSERT OR IGNORE INTO work.named (message, user_id) VALUES (?, ?)', old, user);
    }
    return (
      traits |
      (mentions.channelWildcard ? Trait.channelWildcard : 0) |
      (mentions.topicWildcard ? Trait.topicWildcard : 0)
    );
  }

  readonly #names: ParseContext = {
    userByName: (name) => this.#user('name_key = ? ORDER BY is_active DESC, id DESC LIMIT 1', fold(name)),
    userById: (id) => this.#user('id = ?', id),
  };

  #user(condition: string, value: string | number) {
    const sql = `SELECT id, full_name, is_active FROM user WHERE ${condition}`;
    const user = this.#context.db.get<{id: number; full_name: string; is_active: number}>(sql, value);
    return user === undefined ? undefined : {id: user.id, fullName: user.full_name, isActive: user.is_active === 1};
  }

  /** Returns the edits, newest first. What is not understood is left out. */
  #edits(row: Row): StoredEdit[] {
    const text = row.optionalText('edit_history', Number.POSITIVE_INFINITY);
    if (text === undefined) return [];
    const list = parsedJson(text);
    if (!Array.isArray(list)) row.fail('“edit_history” is not a list in JSON.');
    return list.flatMap((edit) => this.#edit(edit) ?? []);
  }

  #edit(edit: unknown): StoredEdit | undefined {
    if (!isRecord(edit) || typeof edit.timestamp !== 'number' || !(edit.timestamp >= 0)) return undefined;
    const {users, channels} = this.#context;
    const texts = ['prev_topic', 'topic'].flatMap((key) => {
      const topic = edit[key];
      return typeof topic === 'string' ? [[key, storedTopic(topic.replaceAll('\0', ''))]] : [];
    });
    const streams = ['prev_stream', 'stream'].flatMap((key) => {
      const id = channels.get(Number(edit[key] ?? Number.NaN));
      return id === undefined ? [] : [[key, id]];
    });
    const before = typeof edit.prev_content === 'string' ? edit.prev_content.replaceAll('\0', '') : undefined;
    const html = typeof edit.prev_rendered_content === 'string' ? edit.prev_rendered_content : undefined;
    const kept = html === undefined ? undefined : rewriteHtml(html, this.#ids);
    return {
      timestamp: Math.floor(edit.timestamp),
      user_id: users.get(Number(edit.user_id ?? Number.NaN)) ?? null,
      ...(before === undefined ? {} : {prev_content: rewriteText(before, this.#ids, html)}),
      ...(before === undefined || kept === undefined ? {} : {prev_rendered_content: kept}),
      ...Object.fromEntries(texts),
      ...Object.fromEntries(streams),
    };
  }
}

/** Resolving a topic does not count as a move. */
function isMove({prev_topic, topic = '', prev_stream}: StoredEdit): boolean {
  return prev_stream !== undefined || (prev_topic !== undefined && !isResolution(prev_topic, topic));
}

function isContentEdit(edit: StoredEdit): boolean {
  return edit.prev_content !== undefined;
}

function newest(edits: readonly StoredEdit[], matches: (edit: StoredEdit) => boolean): number | null {
  return edits.find(matches)?.timestamp ?? null;
}

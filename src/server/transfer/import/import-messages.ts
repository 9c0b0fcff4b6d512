import type {ParseContext} from '#content/parse-context.ts';
import {parseMessage} from '#content/parse-message.ts';
import {maxContentLength, truncateText} from '#server/actions/inputs/message-text.ts';
import {fold, Trait} from '#server/db/rows.ts';
import {collectReferences} from '#server/markdown/message-references.ts';
import type {StoredEdit} from '#server/views/edit-history.ts';
import {parseJson} from '#std/parse-json.ts';
import {conversationOf, directConversationId} from './direct-conversation.ts';
import {clientName, type ImportContext} from './import-context.ts';
import {importUserMessages} from './import-user-messages.ts';
import type {JsonTables} from './json-tables.ts';
import {type NewIds, rewriteText} from './rewrite-text.ts';
import {isRecord, type Row} from './row.ts';

/** A text that is longer is no message. A message above the limit of this server is cut, as if it was sent here. */
const maxImportedLength = 1_000_000;

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
  /** Whether the last rewritten text has a link to a message that is not imported yet. */
  #linksForward = false;

  constructor(context: ImportContext, ids: NewIds) {
    this.#context = context;
    this.#ids = {...ids, message: (id) => this.#knownMessage(id)};
    context.db.exec(`
      CREATE TABLE work.message (old INTEGER PRIMARY KEY, new INTEGER NOT NULL, channel_id INTEGER, seq INTEGER);
      CREATE TABLE work.later (id INTEGER PRIMARY KEY, content TEXT NOT NULL);
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

  /** Rewrites the messages that link to later ones. */
  finish(): void {
    const {db} = this.#context;
    for (let last = 0; ; ) {
      const next = db.get<{id: number; content: string}>(
        'SELECT * FROM work.later WHERE id > ? ORDER BY id LIMIT 1',
        last,
      );
      if (next === undefined) return;
      last = next.id;
      db.run('UPDATE message SET content = ? WHERE id = ?', rewriteText(next.content, this.#ids), next.id);
    }
  }

  #knownMessage(old: number): number | undefined {
    const id = this.#context.db.value('SELECT new FROM work.message WHERE old = ?', old);
    if (id === undefined) this.#linksForward = true;
    return id;
  }

  #insert(row: Row): void {
    const {db, users} = this.#context;
    const old = row.number('id');
    const sender = users.of(row, 'sender');
    const {channelId, members} = conversationOf(this.#context, row, sender);
    const original = row.text('content', maxImportedLength);
    this.#linksForward = false;
    const content = this.#cut(rewriteText(original, this.#ids));
    const linksForward = this.#linksForward;
    const topic = channelId === undefined ? '' : storedTopic(row.optionalText('subject', 60) ?? '');
    const edits = this.#edits(row);
    const id = db.insert(
      `INSERT INTO message (sender_id, channel_id, dm_id, topic, topic_key, content, sent_at, client, traits,
         unread_by_default, edit_history, last_edit_at, last_moved_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      sender,
      channelId ?? null,
      channelId === undefined ? directConversationId(this.#context, members) : null,
      topic,
      fold(topic),
      content,
      row.time('date_sent'),
      clientName(this.#context, row),
      this.#traits(row, old, content),
      channelId === undefined ? 0 : 1,
      edits.length === 0 ? null : JSON.stringify(edits),
      edits.length === 0 ? (row.optionalTime('last_edit_time') ?? null) : newest(edits, isContentEdit),
      newest(edits, (edit) => !isContentEdit(edit)),
    );
    if (linksForward) db.run('INSERT INTO work.later (id, content) VALUES (?, ?)', id, original);
    this.#remember(row, old, id, channelId);
  }

  #cut(content: string): string {
    const cut = truncateText(content, maxContentLength, '\n[message truncated]');
    if (cut !== content)
      this.#context.report.leaveOut(`ends of messages that have more than ${maxContentLength} characters`);
    return cut;
  }

  #remember(row: Row, old: number, id: number, channelId: number | undefined): void {
    const seq = (this.#counts.get(channelId ?? 0) ?? 0) + 1;
    this.#counts.set(channelId ?? 0, seq);
    const sql = 'INSERT OR IGNORE INTO work.message (old, new, channel_id, seq) VALUES (?, ?, ?, ?)';
    if (this.#context.db.run(sql, old, id, channelId ?? null, seq) === 0) row.fail(`the id ${old} is there twice.`);
  }

  /** Returns what the message contains, and stores whom it mentions by name. */
  #traits(row: Row, old: number, content: string): number {
    const traits =
      (row.bit('has_link') * Trait.link) |
      (row.bit('has_image') * Trait.image) |
      (row.bit('has_attachment') * Trait.attachment) |
      (content.startsWith('/me ') ? Trait.me : 0);
    if (!content.includes('@*')) return traits;
    const {mentions} = collectReferences(parseMessage(content, this.#names));
    for (const user of mentions.userIds) {
      this.#context.db.run('INSERT INTO work.named (message, user_id) VALUES (?, ?)', old, user);
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
    const before = edit.prev_content;
    return {
      timestamp: Math.floor(edit.timestamp),
      user_id: users.get(Number(edit.user_id ?? Number.NaN)) ?? null,
      ...(typeof before === 'string' ? {prev_content: rewriteText(before.replaceAll('\0', ''), this.#ids)} : {}),
      ...Object.fromEntries(texts),
      ...Object.fromEntries(streams),
    };
  }
}

function isContentEdit(edit: StoredEdit): boolean {
  return edit.prev_content !== undefined;
}

function newest(edits: readonly StoredEdit[], matches: (edit: StoredEdit) => boolean): number | null {
  return edits.find(matches)?.timestamp ?? null;
}

function parsedJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

import {type CompiledLinkifier, compileLinkifier} from '#content/linkifier.ts';
import type {UploadKind} from '#content/parse-context.ts';
import {userSettings} from '#server/accounts/user-settings.ts';
import type {Database} from '#server/db/database.ts';
import {findGroupByName} from '#server/db/groups.ts';
import {type AttachmentRow, findAttachmentByPath} from '#server/db/organization-items.ts';
import {type ChannelRow, fold, type MessageRow, type UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {htmlDiff} from '#server/markdown/html-diff.ts';
import type {HtmlRenderContext, UploadedImage} from '#server/markdown/inline-html.ts';
import {renderMarkdown, renderTopicLinks} from '#server/markdown/render.ts';
import {canReadChannel} from '#server/permissions/channel.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {canReadAttachment} from '#server/permissions/read-message.ts';
import {canAccessUser} from '#server/permissions/user-access.ts';
import {LruCache} from '#std/lru-cache.ts';
import type {ReadContext, ServerContext} from './context.ts';
import type {DerivedFact} from './derived-facts-cache.ts';
import type {MessageAnalysis, Renderer} from './renderer.ts';

/** The organization's linkifiers, compiled. Must be invalidated whenever linkifiers change. */
export const compiledLinkifiers: DerivedFact<readonly CompiledLinkifier[]> = {
  name: 'linkifiers',
  derive(db) {
    const rows = db.all<{pattern: string; url_template: string}>(
      'SELECT pattern, url_template FROM linkifier ORDER BY sort_order, id',
    );
    return rows.flatMap(({pattern, url_template}) => compileLinkifier({pattern, urlTemplate: url_template}) ?? []);
  },
};

/** The active custom emoji by name. Must be invalidated whenever custom emoji change. */
export const customEmojiByName: DerivedFact<ReadonlyMap<string, {id: string; sourceUrl: string}>> = {
  name: 'custom-emoji',
  derive(db) {
    const rows = db.all<{id: number; name: string; file: string}>(
      'SELECT id, name, file FROM realm_emoji WHERE deactivated = 0',
    );
    return new Map(rows.map(({id, name, file}) => [name, {id: String(id), sourceUrl: `/user_avatars/${file}`}]));
  },
};

const uploadsPrefix = '/user_uploads/';

/** HTML that a later change of names, topics or linkifiers would change. */
const dependsOnNames = /<a |data-user-/;
/** Text that a new person, channel, group or custom emoji would give a meaning, and custom emoji, which can be removed. */
export const unresolvedName =
  /[@#]<(?:strong|em)>|(?<!\w|role="img" title="[^"]*">):[\d_+.-]*[a-z][\w+.-]*:(?![^<>]{0,300}>)|src="\/user_avatars\//;

/**
 * Renders Markdown to HTML with this organization's names, and caches the result. As on a Zulip server, renaming a user
 * does not change the HTML of messages until they are edited.
 */
export class MarkdownRenderer implements Renderer {
  readonly #server: ServerContext;
  readonly #messages = new LruCache<number, {content: string; html: string}>(5_000);
  readonly #descriptions = new LruCache<string, string>(5_000);

  /** The HTML of the last analysed text: a send asks for it right after the analysis. */
  #latest: {source: string; authorId: number | undefined; html: string} | undefined;

  constructor(server: ServerContext) {
    this.#server = server;
  }

  /** Returns the users that a text of `author` mentions and the uploads it links to. */
  analyse(source: string, author?: UserRow, {linksPublicOnly = false} = {}): MessageAnalysis {
    const reader = linksPublicOnly ? undefined : author;
    const {html, uploads, ...references} = renderMarkdown(source, this.#renderContext(reader));
    this.#latest = {source, authorId: author?.id, html};
    const linked = uploads.map((path) => path.slice(uploadsPrefix.length));
    const exists = (path: string) => findAttachmentByPath(this.#server.db, decodePath(path)) !== undefined;
    return {...references, hasAttachment: linked.some(exists), uploads: linked};
  }

  /** Renders a text as a message of `author`, without caching: for previews and old versions. */
  renderUncached(source: string, author?: UserRow): string {
    return renderMarkdown(source, this.#renderContext(author)).html;
  }

  messageHtml(row: Pick<MessageRow, 'id' | 'content' | 'sender_id'>): string {
    const cached = this.#messages.get(row.id);
    if (cached?.content === row.content) return cached.html;
    const html = this.#savedHtml(row) ?? this.#renderedHtml(row);
    this.#messages.set(row.id, {content: row.content, html});
    return html;
  }

  saveHtml(row: Pick<MessageRow, 'id' | 'content' | 'sender_id'>, html = this.#renderedHtml(row)): void {
    const {db} = this.#server;
    this.#messages.set(row.id, {content: row.content, html});
    if (dependsOnNames.test(html) || unresolvedName.test(html)) {
      db.replaceRow('message_html', {message_id: row.id, html});
    } else db.deleteRows('message_html', {message_id: row.id});
  }

  #savedHtml({id, content}: Pick<MessageRow, 'id' | 'content'>): string | undefined {
    const sql =
      'SELECT html FROM message_html JOIN message ON message.id = message_id WHERE message_id = ? AND content = ?';
    return this.#server.db.get<{html: string}>(sql, id, content)?.html;
  }

  #renderedHtml(row: Pick<MessageRow, 'content' | 'sender_id'>): string {
    return this.#latestOf(row) ?? this.renderUncached(row.content, findUser(this.#server.db, row.sender_id));
  }

  #latestOf({content, sender_id}: Pick<MessageRow, 'content' | 'sender_id'>): string | undefined {
    const latest = this.#latest;
    return latest?.authorId === sender_id && latest.source === content ? latest.html : undefined;
  }

  /** Renders a short text of the organization, such as a description or a profile value. Links public channels only. */
  descriptionHtml(source: string): string {
    let html = this.#descriptions.get(source);
    if (html === undefined) {
      html = this.renderUncached(source);
      this.#descriptions.set(source, html);
    }
    return html;
  }

  topicLinks(topic: string): {text: string; url: string}[] {
    return renderTopicLinks(topic, {linkifiers: this.#server.derivedFacts.get(compiledLinkifiers)});
  }

  /** Returns the difference between two renderings as HTML. */
  htmlDiff(before: string, after: string): string {
    return htmlDiff(before, after);
  }

  /** Resolves names as the author sees them: a link must not reveal that a hidden channel exists. */
  #renderContext(author: UserRow | undefined): HtmlRenderContext {
    const {db, derivedFacts, url} = this.#server;
    const settings = organization({server: this.#server});
    return {
      userByName: (name) => this.#user(db.get<UserRow>(`${byName} LIMIT 1`, fold(name)), author),
      userById: (id) => this.#user(findUser(db, id), author),
      groupByName: (name) => groupByName(db, name),
      channelByName: (name) => this.#channel(name, author),
      customEmoji: (name) => derivedFacts.get(customEmojiByName).get(name),
      linkifiers: derivedFacts.get(compiledLinkifiers),
      defaultCodeLanguage: settings.default_code_block_language,
      translateEmoticons: author !== undefined && userSettings(author).translate_emoticons,
      // It has none before it listens: while a new organization is filled.
      ...(url === '' ? {} : {realmUrl: url}),
      emptyTopicName: settings.empty_topic_display_name,
      previewImages: settings.inline_image_preview,
      uploadedImage: (path) => this.#uploadedImage(path, author),
      topicAnchor: (channelId, topic) =>
        db.value('SELECT MAX(id) FROM message WHERE channel_id = ? AND topic_key = ?', channelId, fold(topic)) ??
        undefined,
      uploadKind: (path) => this.#uploadKind(path, author),
    };
  }

  #user(user: UserRow | undefined, author: UserRow | undefined) {
    if (user === undefined) return undefined;
    if (author !== undefined && !canAccessUser(this.#readContext(), author, user)) return undefined;
    return {id: user.id, fullName: user.full_name, isActive: user.is_active === 1};
  }

  #readContext(): ReadContext {
    return {server: this.#server, now: Math.floor(this.#server.clock.now() / 1000)};
  }

  /** Returns the image at an upload path. The original serves as its preview. */
  #uploadedImage(path: string, author: UserRow | undefined): UploadedImage | undefined {
    const file = this.#upload(path, author);
    if (file?.width == null || file.height === null) return undefined;
    return {src: path, width: file.width, height: file.height, contentType: file.content_type};
  }

  #uploadKind(path: string, author: UserRow | undefined): UploadKind | undefined {
    const file = this.#upload(path, author);
    if (file === undefined) return undefined;
    return file.width === null ? 'file' : 'image';
  }

  /** Returns the file at an upload path, unless the author may not open it. */
  #upload(path: string, author: UserRow | undefined): AttachmentRow | undefined {
    const file = findAttachmentByPath(this.#server.db, decodePath(path.slice(uploadsPrefix.length)));
    if (file === undefined || author === undefined) return undefined;
    return canReadAttachment(this.#readContext(), author, file) ? file : undefined;
  }

  #channel(name: string, author: UserRow | undefined): {id: number} | undefined {
    const {db} = this.#server;
    const channel = db.find<ChannelRow>('channel', {name_key: fold(name)});
    if (channel?.name !== name) return undefined;
    // System bots may link any channel: the readers of their messages learn its name from the message anyway.
    const isLinked =
      author === undefined
        ? channel.invite_only === 0
        : author.is_system_bot === 1 || canReadChannel(this.#readContext(), author, channel);
    return isLinked ? {id: channel.id} : undefined;
  }
}

const byName = 'SELECT * FROM user WHERE name_key = ? ORDER BY is_active DESC, id DESC';

function groupByName(db: Database, name: string) {
  const group = findGroupByName(db, name);
  if (group === undefined) return undefined;
  return {id: group.id, name: group.name, isSystem: group.is_system === 1, isActive: group.deactivated === 0};
}

function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

import {type CompiledLinkifier, compileLinkifier} from '#content/linkifier.ts';
import {userSettings} from '#server/accounts/user-settings.ts';
import {findAttachmentByPath} from '#server/db/attachments.ts';
import type {Database} from '#server/db/database.ts';
import {type ChannelRow, fold, type MessageRow, type UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {htmlDiff} from '#server/markdown/html-diff.ts';
import type {HtmlRenderContext, UploadedImage} from '#server/markdown/html-render-context.ts';
import {renderMarkdown, renderTopicLinks} from '#server/markdown/render.ts';
import {canReadAttachment} from '#server/permissions/attachment.ts';
import {canSeeChannel} from '#server/permissions/channel.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {canAccessUser} from '#server/permissions/user-access.ts';
import {LruCache} from '#std/lru-cache.ts';
import type {ServerContext} from './context.ts';
import type {DerivedFact} from './derived-facts-cache.ts';
import type {MessageAnalysis, Renderer} from './renderer.ts';

/** Forget it whenever linkifiers change. */
export const compiledLinkifiers: DerivedFact<readonly CompiledLinkifier[]> = {
  name: 'linkifiers',
  derive(db) {
    const rows = db.all<{pattern: string; url_template: string}>(
      'SELECT pattern, url_template FROM linkifier ORDER BY sort_order, id',
    );
    return rows.flatMap(
      ({pattern, url_template}) => compileLinkifier({pattern, urlTemplate: url_template}) ?? [],
    );
  },
};

/** Forget it whenever custom emoji change. */
export const customEmojiByName: DerivedFact<ReadonlyMap<string, {id: string; sourceUrl: string}>> = {
  name: 'custom-emoji',
  derive(db) {
    const rows = db.all<{id: number; name: string; file: string}>(
      'SELECT id, name, file FROM realm_emoji WHERE deactivated = 0',
    );
    return new Map(
      rows.map(({id, name, file}) => [name, {id: String(id), sourceUrl: `/user_avatars/${file}`}]),
    );
  },
};

const uploadsPrefix = '/user_uploads/';

/**
 * Markdown to HTML with this organization's names, cached. What a message was rendered to stays, as it does for readers of
 * any such server: renaming somebody does not rewrite history until the text is rendered again.
 */
export class MarkdownRenderer implements Renderer {
  readonly #world: ServerContext;
  readonly #messages = new LruCache<number, {content: string; html: string}>(5_000);
  readonly #descriptions = new LruCache<string, string>(5_000);

  /** What is analysed is sent next, and then its HTML is wanted: no need to make it twice. */
  #latest: {source: string; authorId: number | undefined; html: string} | undefined;

  constructor(world: ServerContext) {
    this.#world = world;
  }

  /** Who a text mentions and what it links to, if `author` sends it. */
  analyse(source: string, author?: UserRow): MessageAnalysis {
    const {html, uploads, ...facts} = renderMarkdown(source, this.#names(author));
    this.#latest = {source, authorId: author?.id, html};
    return {...facts, uploads: uploads.map((path) => path.slice(uploadsPrefix.length))};
  }

  /** Any text as a message of `author` would show it, kept nowhere: previews and old versions. */
  renderUncached(source: string, author?: UserRow): string {
    return renderMarkdown(source, this.#names(author)).html;
  }

  messageHtml(row: Pick<MessageRow, 'id' | 'content' | 'sender_id'>): string {
    const known = this.#messages.get(row.id);
    if (known?.content === row.content) return known.html;
    const html =
      this.#latestOf(row) ?? this.renderUncached(row.content, findUser(this.#world.db, row.sender_id));
    this.#messages.set(row.id, {content: row.content, html});
    return html;
  }

  #latestOf({content, sender_id}: Pick<MessageRow, 'content' | 'sender_id'>): string | undefined {
    const latest = this.#latest;
    return latest?.authorId === sender_id && latest.source === content ? latest.html : undefined;
  }

  /** Short texts of the organization: descriptions, profile values. They link to public channels only. */
  descriptionHtml(source: string): string {
    let html = this.#descriptions.get(source);
    if (html === undefined) {
      html = this.renderUncached(source);
      this.#descriptions.set(source, html);
    }
    return html;
  }

  topicLinks(topic: string): {text: string; url: string}[] {
    return renderTopicLinks(topic, {linkifiers: this.#world.derivedFacts.get(compiledLinkifiers)});
  }

  /** What changed between two renderings, as HTML. */
  htmlDiff(before: string, after: string): string {
    return htmlDiff(before, after);
  }

  /** Names resolve as the author sees them: a link to a channel must not tell that a hidden one exists. */
  #names(author: UserRow | undefined): HtmlRenderContext {
    const {db, derivedFacts: memory, url} = this.#world;
    const settings = organization({world: this.#world});
    return {
      userByName: (name) => this.#person(db.get<UserRow>(`${byName} LIMIT 1`, fold(name)), author),
      userById: (id) => this.#person(findUser(db, id), author),
      groupByName: (name) => groupByName(db, name),
      channelByName: (name) => this.#channel(name, author),
      customEmoji: (name) => memory.get(customEmojiByName).get(name),
      linkifiers: memory.get(compiledLinkifiers),
      defaultCodeLanguage: settings.default_code_block_language,
      translateEmoticons: author !== undefined && userSettings(author).translate_emoticons,
      realmUrl: url,
      emptyTopicName: settings.empty_topic_display_name,
      previewImages: settings.inline_image_preview,
      uploadedImage: (path) => this.#picture(path, author),
    };
  }

  #person(user: UserRow | undefined, author: UserRow | undefined) {
    if (user === undefined) return undefined;
    if (author !== undefined && !canAccessUser(this.#facts(), author, user)) return undefined;
    return {id: user.id, fullName: user.full_name, isActive: user.is_active === 1};
  }

  #facts() {
    return {world: this.#world, now: Math.floor(this.#world.clock.now() / 1000)};
  }

  /** Served as it is: the original is its own preview. Says nothing of files the author may not open. */
  #picture(path: string, author: UserRow | undefined): UploadedImage | undefined {
    const file = findAttachmentByPath(this.#world.db, decoded(path.slice(uploadsPrefix.length)));
    if (file?.width == null || file.height === null || author === undefined) return undefined;
    const act = {world: this.#world, now: Math.floor(this.#world.clock.now() / 1000)};
    if (!canReadAttachment(act, author, file)) return undefined;
    return {src: path, width: file.width, height: file.height, contentType: file.content_type};
  }

  #channel(name: string, author: UserRow | undefined): {id: number} | undefined {
    const {db} = this.#world;
    const channel = db.get<ChannelRow>('SELECT * FROM channel WHERE name_key = ?', fold(name));
    if (channel?.name !== name) return undefined;
    // What the server itself says, it says to people who are told the channel's name by it anyway.
    const visible =
      author === undefined
        ? channel.invite_only === 0
        : author.is_system_bot === 1 || canSeeChannel(this.#facts(), author, channel);
    return visible ? {id: channel.id} : undefined;
  }
}

const byName = 'SELECT * FROM user WHERE name_key = ? ORDER BY is_active DESC, id';

function groupByName(db: Database, name: string) {
  const group = db.get<{id: number; name: string; is_system: number; deactivated: number}>(
    'SELECT id, name, is_system, deactivated FROM user_group WHERE name_key = ?',
    fold(name),
  );
  if (group === undefined) return undefined;
  return {id: group.id, name: group.name, isSystem: group.is_system === 1, isActive: group.deactivated === 0};
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

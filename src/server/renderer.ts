import type {MessageRow, UserRow} from '#server/db/rows.ts';
import type {RenderedMarkdown} from '#server/markdown/render.ts';

/** The references in a message's text: the users it mentions, and in `uploads` what follows `/user_uploads/` in its links. */
export type MessageAnalysis = Readonly<Omit<RenderedMarkdown, 'html' | 'hasInlineImage'>>;

/** Renders Markdown to HTML with the names of this organization; `MarkdownRenderer` implements it. */
export interface Renderer {
  /** Returns the users that a text of `author` mentions and the uploads it links to. */
  analyse(source: string, author?: UserRow, options?: {readonly linksPublicOnly?: boolean}): MessageAnalysis;
  /** Renders a text as a message of `author`, without caching: for previews and old versions. */
  renderUncached(source: string, author?: UserRow): string;
  messageHtml(row: Pick<MessageRow, 'id' | 'content' | 'sender_id'>): string;
  /** Keeps the HTML of a new or edited message if it depends on names, which may change. Call it when the row is written. */
  saveHtml(row: Pick<MessageRow, 'id' | 'content' | 'sender_id'>, html?: string): void;
  /** Renders a short text of the organization, such as a description or a profile value. */
  descriptionHtml(source: string): string;
  topicLinks(topic: string): {text: string; url: string}[];
  /** Returns the difference between two renderings as HTML. */
  htmlDiff(before: string, after: string): string;
}

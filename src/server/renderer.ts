import type {MessageRow, UserRow} from './db/rows.ts';

/** What a message's text holds beside its looks: who it calls, what it links to. */
export interface MessageAnalysis {
  readonly mentions: {
    readonly userIds: ReadonlySet<number>;
    readonly groupIds: ReadonlySet<number>;
    readonly channelWildcard: boolean;
    readonly topicWildcard: boolean;
  };
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  readonly hasAttachment: boolean;
  /** Path ids of uploaded files: what follows `/user_uploads/`. */
  readonly uploads: readonly string[];
  /** The text that alert words are looked for in. */
  readonly alertText: string;
}

/** Makes HTML from Markdown, with the names of this organization. */
export interface Renderer {
  /** Returns who a text mentions and what it links to, if `author` sends it. */
  analyse(source: string, author?: UserRow): MessageAnalysis;
  /** Returns any text as a message of `author` would show it: previews and old versions. */
  renderUncached(source: string, author?: UserRow): string;
  messageHtml(row: Pick<MessageRow, 'id' | 'content' | 'sender_id'>): string;
  /** Returns a short text of the organization as HTML: a description, a profile value. */
  descriptionHtml(source: string): string;
  topicLinks(topic: string): {text: string; url: string}[];
  /** Returns what changed between two renderings, as HTML. */
  htmlDiff(before: string, after: string): string;
}

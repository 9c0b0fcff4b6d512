import type {EmojiNameTable} from './emoji.ts';
import type {CompiledLinkifier} from './linkifier.ts';
import type {ImageFacts} from './message-facts.ts';

export type MentionedUser = {
  id: number;
  fullName: string;
  isActive: boolean;
  /** The name under which the server found the user, if that is known. */
  writtenName?: string;
};
export type MentionedGroup = {
  id: number;
  name: string;
  isSystem: boolean;
  isActive: boolean;
  /** The name that the message must contain, if the group has another one today. */
  writtenName?: string;
};
export type UploadKind = 'image' | 'file';
export type CustomEmoji = {id: string; sourceUrl: string};

/**
 * The organization's data that the parser needs, because the syntax depends on it: a mention of an unknown user is literal
 * text, and the emphasis inside it applies. Every field is optional; an absent lookup resolves nothing.
 */
export type ParseContext = {
  /** Looks up a name as typed; the comparison ignores case. */
  userByName?: (name: string) => MentionedUser | undefined;
  /** `name` is the one beside the id in the text. */
  userById?: (id: number, name?: string) => MentionedUser | undefined;
  /** Whether `@**Name|12**` mentions user 12 under any name: clients show messages that were written before a rename. */
  followsRenames?: boolean;
  groupByName?: (name: string) => MentionedGroup | undefined;
  groupById?: (id: number) => MentionedGroup | undefined;
  /** Looks up the exact name, including case. `name` is today's name, if it is another. */
  channelByName?: (name: string) => {id: number; name?: string} | undefined;
  channelById?: (id: number) => {name: string} | undefined;
  /** The display name of the empty topic. */
  emptyTopicName?: string;
  /** Returns the id of a message in the topic, so that a link to the topic survives renames. */
  topicAnchor?: (channelId: number, topic: string) => number | undefined;
  /** Returns what is known about an uploaded image (`/user_uploads/…`). */
  imageFacts?: (path: string) => ImageFacts | undefined;
  customEmoji?: (name: string) => CustomEmoji | undefined;
  /** Returns the server's Unicode emoji, if it said which it has; a function, because few texts need them. */
  unicodeEmoji?: () => EmojiNameTable;
  /** Looks up an uploaded file by its path. Without it, every path that a server could have assigned is an upload. */
  uploadKind?: (path: string) => UploadKind | undefined;
  /** In order of precedence; see `compileLinkifier`. */
  linkifiers?: readonly CompiledLinkifier[];
  defaultCodeLanguage?: string;
  translateEmoticons?: boolean;
  /** The organization's URL without a final slash. Links into it become relative. */
  realmUrl?: string;
  /** Whether `file:` links are allowed; only for servers whose users share a file system. */
  allowFileLinks?: boolean;
};

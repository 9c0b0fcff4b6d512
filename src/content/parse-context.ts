import type {CompiledLinkifier} from './linkifier.ts';

export type MentionedUser = {id: number; fullName: string; isActive: boolean};
export type MentionedGroup = {id: number; name: string; isSystem: boolean; isActive: boolean};
export type UploadKind = 'image' | 'file';
export type CustomEmoji = {id: string; sourceUrl: string};

/**
 * The organization's data that the parser needs, because the syntax depends on it: a mention of an unknown user is literal
 * text, and the emphasis inside it applies. Every field is optional; an absent lookup resolves nothing.
 */
export type ParseContext = {
  /** Looks up a name as typed; the comparison ignores case. */
  userByName?: (name: string) => MentionedUser | undefined;
  userById?: (id: number) => MentionedUser | undefined;
  groupByName?: (name: string) => MentionedGroup | undefined;
  /** Looks up the exact name, including case. */
  channelByName?: (name: string) => {id: number} | undefined;
  customEmoji?: (name: string) => CustomEmoji | undefined;
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

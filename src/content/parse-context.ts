import type {CompiledLinkifier} from './linkifier.ts';

export type MentionedUser = {id: number; fullName: string; isActive: boolean};
export type MentionedGroup = {id: number; name: string; isSystem: boolean; isActive: boolean};
export type CustomEmoji = {id: string; sourceUrl: string};

/**
 * What the parser must ask because the dialect's syntax depends on the answer: a mention of nobody is literal text,
 * and then the emphasis inside it applies. Everything is optional; what is absent resolves nothing.
 */
export type ParseContext = {
  /** Compared without regard to case, as the name is typed. */
  userByName?: (name: string) => MentionedUser | undefined;
  userById?: (id: number) => MentionedUser | undefined;
  groupByName?: (name: string) => MentionedGroup | undefined;
  /** Exact, including case. */
  channelByName?: (name: string) => {id: number} | undefined;
  customEmoji?: (name: string) => CustomEmoji | undefined;
  /** In order of precedence; see `compileLinkifier`. */
  linkifiers?: readonly CompiledLinkifier[];
  defaultCodeLanguage?: string;
  translateEmoticons?: boolean;
  /** Without a final slash. Links into it become relative. */
  realmUrl?: string;
  /** `file:` links are only for servers whose users share a file system. */
  allowFileLinks?: boolean;
};

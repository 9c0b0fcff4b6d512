/** The syntax of mentions and channel links, and the names that a message mentions. */

export const userMention = /(?<![^\s'"({[/<])@(?<silent>_?)\*\*(?<name>[^*]+)\*\*/g;
export const groupMention = /(?<![^\s'"({[/<])@(?<silent>_?)\*(?<name>[^*]+)\*/g;
export const messageLink = /(?<![^\s'"({/<])#\*\*(?<name>[^*>]+)>(?<topic>[^*]*)@(?<id>\d+)\*\*/g;
export const topicLink = /(?<![^\s'"({/<])#\*\*(?<name>[^*>]+)>(?<topic>[^*]*)\*\*/g;
export const channelLink = /(?<![^\s'"({/<])#\*\*(?<name>[^*]+)\*\*/g;

/**
 * The names in the source of a message. Before the server parses a message it looks up the names that occur in the source with
 * a space or an opening character before them, and only those can be mentioned. `>@**Zoe**` mentions nobody: inside the
 * quote the mention is at the start of a line, but in the source it follows `>`.
 */
export class MessageNames {
  readonly #source: string;
  #users: ReadonlySet<string> | undefined;
  #groups: ReadonlySet<string> | undefined;
  #channels: ReadonlySet<string> | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  hasUser(name: string): boolean {
    this.#users ??= new Set(this.#names(userMention).map((typed) => typed.toLowerCase()));
    return this.#users.has(name.toLowerCase());
  }

  /** The lookup of groups respects case. */
  hasGroup(name: string): boolean {
    this.#groups ??= new Set(this.#names(groupMention));
    return this.#groups.has(name);
  }

  hasChannel(name: string): boolean {
    this.#channels ??= new Set([...this.#names(channelLink), ...this.#names(topicLink)]);
    return this.#channels.has(name);
  }

  #names(pattern: RegExp): string[] {
    return Array.from(this.#source.matchAll(pattern), ({groups}) => groups?.name ?? '');
  }
}

/** Makes the mentions in a line of a quote silent. */
export function silencedMentions(line: string): string {
  if (!line.includes('@')) return line;
  return line.replace(userMention, '@_**$<name>**').replace(groupMention, '@_*$<name>*');
}

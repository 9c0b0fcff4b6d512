import type {Payload} from '#server/webhooks/webhook.ts';

/** An event of GitHub, as the texts about it need it. */
export interface GitHubEvent {
  readonly payload: Payload;
  /** The name of the person who caused it, or their mention. */
  readonly sender: string;
  /** Whether messages repeat the titles of pull requests and issues, because the topic does not have them. */
  readonly includesTitle: boolean;
}

export function shortSha(sha: string): string {
  return sha.slice(0, 11);
}

export function quoted(text: string): string {
  return `\n~~~ quote\n${text}\n~~~`;
}

export function repositoryLink({payload}: GitHubEvent): string {
  return `[${payload.text('repository.full_name')}](${payload.text('repository.html_url')})`;
}

interface Item {
  readonly action: string;
  /** What it is: `PR`, `issue` … */
  readonly kind: string;
  readonly number?: number;
  readonly title: string;
  readonly url: string;
  readonly branches?: {readonly from: string; readonly to: string} | undefined;
  readonly assignee?: string | undefined;
  /** The text that follows as a quotation. */
  readonly message?: string | undefined;
}

/** Returns the sentence about a pull request, an issue or a part of one. */
export function itemSentence({sender, includesTitle}: GitHubEvent, item: Item): string {
  const {action, kind, number, title, url, branches, assignee, message = ''} = item;
  const name = [kind, number === undefined ? '' : `#${number}`, includesTitle ? title : ''].filter(Boolean).join(' ');
  const from = branches === undefined ? '' : ` from \`${branches.from}\` to \`${branches.to}\``;
  const assigned = assignee === undefined ? '' : ` (assigned to ${assignee})`;
  const endsWithPunctuation = includesTitle && from === '' && assigned === '' && /[!-/:-@[-`{-~]$/.test(title);
  const end = endsWithPunctuation ? '' : message === '' ? '.' : ':';
  const quotation = message === '' ? '' : `\n${quoted(message)}`;
  return `${sender} ${action} [${name}](${url})${from}${assigned}${end}${quotation}`.trimEnd();
}

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

/** Returns what every sentence about the event's pull request has. */
function pullRequest({payload}: GitHubEvent) {
  return {
    kind: 'PR',
    number: payload.number('pull_request.number'),
    title: payload.text('pull_request.title'),
    url: payload.text('pull_request.html_url'),
  };
}

function pullRequestLink({payload}: GitHubEvent): string {
  return `[PR #${payload.number('pull_request.number')}](${payload.text('pull_request.html_url')})`;
}

export function changedPullRequest(event: GitHubEvent): string {
  const {payload} = event;
  const action = payload.text('action');
  const isOpened = action === 'opened';
  return itemSentence(event, {
    ...pullRequest(event),
    action: action === 'synchronize' ? 'updated' : action,
    branches: isOpened
      ? {from: payload.text('pull_request.head.label'), to: payload.text('pull_request.base.label')}
      : undefined,
    assignee: payload.optionalText('pull_request.assignee.login'),
    message: isOpened || payload.has('changes.body') ? payload.optionalText('pull_request.body') : undefined,
  });
}

export function assignedPullRequest(event: GitHubEvent): string {
  return itemSentence(event, {...pullRequest(event), action: assignment(event.payload)});
}

/** Returns `assigned NAME to` or `unassigned NAME from`. */
export function assignment(payload: Payload): string {
  const action = payload.text('action');
  return `${action} ${payload.text('assignee.login')} ${action === 'assigned' ? 'to' : 'from'}`;
}

export function closedPullRequest(event: GitHubEvent): string {
  const action = event.payload.flag('pull_request.merged') ? 'merged' : 'closed without merge';
  return itemSentence(event, {...pullRequest(event), action});
}

export function lockedPullRequest(event: GitHubEvent): string {
  const {payload, sender} = event;
  const link = pullRequestLink(event);
  if (payload.text('action') === 'unlocked') return `${sender} has unlocked ${link}.`;
  const reason = payload.optionalText('pull_request.active_lock_reason');
  const asReason = reason === undefined ? '' : ` as ${reason}`;
  return `${sender} has locked ${link}${asReason} and limited conversation to collaborators.`;
}

export function autoMergeOfPullRequest(event: GitHubEvent): string {
  const change = event.payload.text('action') === 'auto_merge_disabled' ? 'disabled' : 'enabled';
  return `${event.sender} has ${change} auto merge for ${pullRequestLink(event)}.`;
}

export function readyPullRequest(event: GitHubEvent): string {
  return `**${event.sender}** has marked ${pullRequestLink(event)} as ready for review.`;
}

export function requestedReview(event: GitHubEvent): string {
  const {payload, sender, includesTitle} = event;
  const {number, title, url} = pullRequest(event);
  const isTeam = !payload.has('requested_reviewer');
  const reviewer = isTeam ? payload.text('requested_team.name') : payload.text('requested_reviewer.login');
  const address = payload.text(isTeam ? 'requested_team.html_url' : 'requested_reviewer.html_url');
  const name = `PR #${number}${includesTitle ? ` ${title}` : ''}`;
  return `**${sender}** requested [${reviewer}](${address}) for a review on [${name}](${url}).`;
}

export function submittedReview(event: GitHubEvent): string {
  const {payload} = event;
  const {number, title} = pullRequest(event);
  return itemSentence(event, {
    action: 'submitted',
    kind: 'PR review',
    title: `for #${number} ${title}`,
    url: payload.text('review.html_url'),
    message: payload.optionalText('review.body'),
  });
}

export function reviewComment(event: GitHubEvent): string {
  const {payload} = event;
  const {number, title} = pullRequest(event);
  const action = payload.text('action');
  return itemSentence(event, {
    action,
    kind: 'PR review comment',
    title: `on #${number} ${title}`,
    url: payload.text('comment.html_url'),
    message: action === 'created' ? payload.text('comment.body') : undefined,
  });
}

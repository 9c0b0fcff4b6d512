import type {Payload} from '#server/webhooks/webhook.ts';
import {ownValue} from '#std/own-value.ts';

/** The text about each event, by the event's name in `only_events` and `exclude_events`. */
export const eventTexts = {
  assigned_or_unassigned_pull_request: (event) =>
    itemSentence(event, {...pullRequest(event), action: assignment(event.payload)}),
  check_run: ({payload}) => {
    const run = (name: string) => payload.text(`check_run.${name}`);
    const sha = run('head_sha');
    const commit = `[${shortSha(sha)}](${payload.text('repository.html_url')}/commit/${sha})`;
    return `Check [${run('name')}](${run('html_url')}) ${run('status')} (${run('conclusion')}). (${commit})`;
  },
  closed_pull_request: (event) => {
    const action = event.payload.flag('pull_request.merged') ? 'merged' : 'closed without merge';
    return itemSentence(event, {...pullRequest(event), action});
  },
  commit_comment: ({payload, sender}) => {
    const url = payload.text('comment.html_url');
    const [commitUrl = ''] = url.split('#');
    const commit = `[${shortSha(payload.text('comment.commit_id'))}](${commitUrl})`;
    return `${sender} [commented](${url}) on ${commit}:${quoted(payload.text('comment.body'))}`;
  },
  create: ({payload, sender}) => `${sender} created ${payload.text('ref_type')} ${payload.text('ref')}.`,
  delete: ({payload, sender}) => `${sender} deleted ${payload.text('ref_type')} ${payload.text('ref')}.`,
  deployment: ({sender}) => `${sender} created new deployment.`,
  deployment_status: ({payload}) => `Deployment changed status to ${payload.text('deployment_status.state')}.`,
  discussion: ({payload, sender}) => {
    const link = `[discussion #${payload.number('discussion.number')}](${payload.text('discussion.html_url')})`;
    const text = `### ${payload.text('discussion.title')}\n${payload.text('discussion.body')}`;
    return `${sender} created ${link} in ${payload.text('discussion.category.name')}:\n${quoted(text)}`;
  },
  discussion_comment: (event) =>
    itemSentence(event, {
      ...itemOf('discussion', event),
      action: commentAction(event),
      message: event.payload.text('comment.body'),
    }),
  fork: ({payload, sender}) => `${sender} forked [${payload.text('forkee.name')}](${payload.text('forkee.html_url')}).`,
  gollum: ({payload, sender}) => {
    const lines = payload
      .list('pages')
      .map((page) => `* ${page.text('action')} [${page.text('title')}](${page.text('html_url')})`);
    return `${sender}:\n${lines.join('\n')}`;
  },
  issue_comment: (event) => {
    const kind = event.payload.has('issue.pull_request') ? 'PR' : 'issue';
    const message = event.payload.text('comment.body');
    return itemSentence(event, {...itemOf('issue', event), kind, action: commentAction(event), message});
  },
  issue_labeled_or_unlabeled: (event) => {
    const isAdded = event.payload.text('action') === 'labeled';
    return changedPart(event, isAdded, `the ${event.payload.text('label.name')} label`, 'Issue');
  },
  issue_milestoned_or_demilestoned: (event) => {
    const {payload} = event;
    const milestone = `milestone [${payload.text('milestone.title')}](${payload.text('milestone.html_url')})`;
    return changedPart(event, payload.text('action') === 'milestoned', milestone, 'issue');
  },
  issues: (event) => {
    const {payload} = event;
    const action = payload.text('action');
    if (action === 'assigned' || action === 'unassigned') {
      return itemSentence(event, {...itemOf('issue', event), action: assignment(payload)});
    }
    return itemSentence(event, {...itemOf('issue', event), action, message: payload.optionalText('issue.body')});
  },
  issues_opened_via_transfer: (event) => {
    const {payload} = event;
    const {number, title, url} = itemOf('issue', event);
    const source = `${payload.text('changes.old_repository.full_name')}#${payload.number('changes.old_issue.number')}`;
    const address = payload.text('changes.old_issue.html_url');
    return `[Issue #${number} ${title}](${url}) was transferred from [${source}](${address}).`;
  },
  issues_transferred: (event) => {
    const {payload, sender} = event;
    const {number, title, url} = itemOf('issue', event);
    const target = `${payload.text('changes.new_repository.full_name')}/#${payload.number('changes.new_issue.number')}`;
    const address = payload.text('changes.new_issue.html_url');
    return `${sender} transferred [issue #${number} ${title}](${url}) to [${target}](${address}).`;
  },
  locked_or_unlocked_pull_request: ({payload, sender}) => {
    const link = pullRequestLink(payload);
    if (payload.text('action') === 'unlocked') return `${sender} has unlocked ${link}.`;
    const reason = payload.optionalText('pull_request.active_lock_reason');
    const asReason = reason === undefined ? '' : ` as ${reason}`;
    return `${sender} has locked ${link}${asReason} and limited conversation to collaborators.`;
  },
  member: ({payload, sender}) => {
    const repository = `[${payload.text('repository.name')}](${payload.text('repository.html_url')})`;
    return `${sender} ${payload.text('action')} ${memberLink(payload)} to ${repository}.`;
  },
  membership: ({payload, sender}) => {
    const action = payload.text('action');
    const way = action === 'removed' ? 'from' : 'to';
    return `${sender} ${action} ${memberLink(payload)} ${way} the ${payload.text('team.name')} team.`;
  },
  opened_pull_request: changedPullRequest,
  page_build: ({payload}) => {
    const status = payload.text('build.status');
    const states: Readonly<Record<string, string>> = {
      null: 'has yet to be built',
      building: 'is being built',
      errored: `has failed: ${quoted(payload.optionalText('build.error.message') ?? '')}`,
      built: 'has finished building',
    };
    const state = ownValue(states, status) ?? `is ${status}`;
    return `GitHub Pages build, triggered by ${payload.text('build.pusher.login')}, ${state}.`;
  },
  ping: ({sender}) => `GitHub webhook has been successfully configured by ${sender}.`,
  public: ({payload, sender}) => `${sender} made the repository ${repositoryLink(payload)} public.`,
  pull_request_auto_merge: ({payload, sender}) => {
    const change = payload.text('action') === 'auto_merge_disabled' ? 'disabled' : 'enabled';
    return `${sender} has ${change} auto merge for ${pullRequestLink(payload)}.`;
  },
  pull_request_ready_for_review: ({payload, sender}) =>
    `**${sender}** has marked ${pullRequestLink(payload)} as ready for review.`,
  pull_request_review: (event) => {
    const {number, title} = pullRequest(event);
    return itemSentence(event, {
      action: 'submitted',
      kind: 'PR review',
      title: `for #${number} ${title}`,
      url: event.payload.text('review.html_url'),
      message: event.payload.optionalText('review.body'),
    });
  },
  pull_request_review_comment: (event) => {
    const {number, title} = pullRequest(event);
    const action = event.payload.text('action');
    return itemSentence(event, {
      action,
      kind: 'PR review comment',
      title: `on #${number} ${title}`,
      url: event.payload.text('comment.html_url'),
      message: action === 'created' ? event.payload.text('comment.body') : undefined,
    });
  },
  pull_request_review_requested: (event) => {
    const {payload, sender, includesTitle} = event;
    const {number, title, url} = pullRequest(event);
    const isTeam = !payload.has('requested_reviewer');
    const reviewer = isTeam ? payload.text('requested_team.name') : payload.text('requested_reviewer.login');
    const address = payload.text(isTeam ? 'requested_team.html_url' : 'requested_reviewer.html_url');
    const name = `PR #${number}${includesTitle ? ` ${title}` : ''}`;
    return `**${sender}** requested [${reviewer}](${address}) for a review on [${name}](${url}).`;
  },
  push_commits: pushedCommits,
  push_tags: ({payload, sender}) => {
    const tag = payload.text('ref').replace(/^refs\/tags\//, '');
    const sentence = `${sender} ${payload.flag('created') ? 'pushed' : 'removed'} tag ${tag}`;
    return endsWithPunctuation.test(tag) ? sentence : `${sentence}.`;
  },
  release: ({payload, sender}) => {
    const [tag, url] = [payload.text('release.tag_name'), payload.text('release.html_url')];
    const name = payload.has('release.name') ? payload.text('release.name') : tag;
    return `${sender} ${payload.text('action')} release [${name}](${url}) for tag ${tag}.`;
  },
  repository: ({payload, sender}) => `${sender} ${payload.text('action')} the repository ${repositoryLink(payload)}.`,
  star: ({payload, sender}) => {
    const change = payload.text('action') === 'created' ? 'starred' : 'unstarred';
    return `[${sender}](${payload.text('sender.html_url')}) ${change} the repository ${repositoryLink(payload)}.`;
  },
  status: ({payload}) => {
    const state = payload.text('state');
    const url = payload.optionalText('target_url') ?? '';
    const commit = `[${shortSha(payload.text('sha'))}](${payload.text('commit.html_url')})`;
    return `${commit} changed its status to ${url === '' ? state : `[${state}](${url})`}.`;
  },
  team: ({payload, sender}) => {
    if (payload.has('changes.description')) {
      return `**${sender}** changed the team description to:\n${quoted(payload.text('team.description'))}`;
    }
    if (payload.has('changes.name')) {
      return `Team \`${payload.text('changes.name.from')}\` was renamed to \`${payload.text('team.name')}\`.`;
    }
    if (payload.has('changes.privacy')) return `Team visibility changed to \`${payload.text('team.privacy')}\``;
    return `Team has changes to \`${payload.names('changes').sort().join('/')}\` data.`;
  },
  team_add: ({payload}) => `The repository ${repositoryLink(payload)} was added to team ${payload.text('team.name')}.`,
  updated_pull_request: changedPullRequest,
  watch: ({payload, sender}) => `${sender} starred the repository ${repositoryLink(payload)}.`,
} as const satisfies Readonly<Record<string, (event: GitHubEvent) => string>>;

export type EventName = keyof typeof eventTexts;

/** An event of GitHub, as the texts about it need it. */
interface GitHubEvent {
  readonly payload: Payload;
  /** The name of the person who caused it, or their mention. */
  readonly sender: string;
  /** Whether messages repeat the titles of pull requests and issues, because the topic does not have them. */
  readonly includesTitle: boolean;
}

function shortSha(sha: string): string {
  return sha.slice(0, 11);
}

function quoted(text: string): string {
  return `\n~~~ quote\n${text}\n~~~`;
}

function repositoryLink(payload: Payload): string {
  return `[${payload.text('repository.full_name')}](${payload.text('repository.html_url')})`;
}

function memberLink(payload: Payload): string {
  return `[${payload.text('member.login')}](${payload.text('member.html_url')})`;
}

function pullRequestLink(payload: Payload): string {
  return `[PR #${payload.number('pull_request.number')}](${payload.text('pull_request.html_url')})`;
}

const endsWithPunctuation = /[!-/:-@[-`{-~]$/;

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
function itemSentence({sender, includesTitle}: GitHubEvent, item: Item): string {
  const {action, kind, number, title, url, branches, assignee, message = ''} = item;
  const name = [kind, number === undefined ? '' : `#${number}`, includesTitle ? title : ''].filter(Boolean).join(' ');
  const from = branches === undefined ? '' : ` from \`${branches.from}\` to \`${branches.to}\``;
  const assigned = assignee === undefined ? '' : ` (assigned to ${assignee})`;
  const hasEnd = includesTitle && from === '' && assigned === '' && endsWithPunctuation.test(title);
  const end = hasEnd ? '' : message === '' ? '.' : ':';
  const quotation = message === '' ? '' : `\n${quoted(message)}`;
  return `${sender} ${action} [${name}](${url})${from}${assigned}${end}${quotation}`.trimEnd();
}

/** Returns what every sentence about the event's issue, discussion or pull request has. */
function itemOf(kind: 'issue' | 'discussion' | 'pull_request', {payload}: GitHubEvent) {
  const [number, title, url] = [payload.number(`${kind}.number`), payload.text(`${kind}.title`), `${kind}.html_url`];
  return {kind: String(kind), number, title, url: payload.text(url)};
}

function pullRequest(event: GitHubEvent) {
  return {...itemOf('pull_request', event), kind: 'PR'};
}

function changedPullRequest(event: GitHubEvent): string {
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

/** Returns `assigned NAME to` or `unassigned NAME from`. */
function assignment(payload: Payload): string {
  const action = payload.text('action');
  return `${action} ${payload.text('assignee.login')} ${action === 'assigned' ? 'to' : 'from'}`;
}

function commentAction({payload}: GitHubEvent): string {
  const action = payload.text('action');
  const link = `(${payload.text('comment.html_url')}) on`;
  return action === 'created' ? `[commented]${link}` : `${action} a [comment]${link}`;
}

function changedPart(event: GitHubEvent, isAdded: boolean, part: string, kind: string): string {
  const {number, title, url} = itemOf('issue', event);
  const name = `${kind} #${number}${event.includesTitle ? ` ${title}` : ''}`;
  const user = `[${event.sender}](${event.payload.text('sender.html_url')})`;
  return `${user} ${isAdded ? 'added' : 'removed'} ${part} ${isAdded ? 'to' : 'from'} [${name}](${url}).`;
}

const shownCommits = 20;
const namedCommitters = 3;

export function branchName(payload: Payload): string {
  return payload.text('ref').replace(/^refs\/heads\//, '');
}

function pushedCommits({payload, sender}: GitHubEvent): string {
  const commits = payload.list('commits');
  const [branch, url] = [branchName(payload), payload.text('compare')];
  const deleted = payload.flag('deleted');
  const pushed = payload.flag('forced') ? 'force pushed' : 'pushed';
  if (commits.length === 0) return `${sender} [${deleted ? 'deleted' : pushed}](${url}) the branch ${branch}.`;
  const count = `${commits.length} commit${commits.length > 1 ? 's' : ''}`;
  const sentence = `${sender} [${pushed}](${url}) ${count} to branch ${branch}.`;
  const committers = committersOf(commits);
  const isBySender = committers.length === 1 && committers[0]?.name === sender;
  const by = isBySender ? '' : ` Commits by ${listed(committers.map(({name, count}) => `${name} (${count})`))}.`;
  return `${sentence}${by}\n\n${commitLines(commits).join('\n')}`;
}

function commitLines(commits: readonly Payload[]): string[] {
  const lines = commits.slice(0, shownCommits).map((commit) => {
    const [title = ''] = commit.text('message').split('\n');
    return `* ${title} ([${shortSha(commit.text('id'))}](${commit.text('url')}))`;
  });
  const more = commits.length - shownCommits;
  return more > 0 ? [...lines, `[and ${more} more commit(s)]`] : lines;
}

/** Returns the committers with the most commits first; those after the third together as “others”. */
function committersOf(commits: readonly Payload[]) {
  const byName = Map.groupBy(commits, (commit) =>
    commit.has('author.username') ? commit.text('author.username') : commit.text('author.name'),
  );
  const all = [...byName].map(([name, own]) => ({name, count: own.length}));
  all.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  const rest = all.slice(namedCommitters).reduce((sum, {count}) => sum + count, 0);
  return rest === 0 ? all : [...all.slice(0, namedCommitters), {name: 'others', count: rest}];
}

function listed(names: readonly string[]): string {
  const first = names.slice(0, -1).join(', ');
  return first === '' ? (names[0] ?? '') : `${first} and ${names.at(-1)}`;
}

import type {Payload} from '#server/webhooks/webhook.ts';
import {ownValue} from '#std/own-value.ts';

const repository = '[{repository.full_name}]({repository.html_url})';
const member = '[{member.login}]({member.html_url})';
const pullRequestLink = '[PR #{#pull_request.number}]({pull_request.html_url})';
const quotation = (text: string) => `\n~~~ quote\n${text}\n~~~`;

/** The text about each event, or its template, by the event's name in `only_events` and `exclude_events`. */
export const eventTexts = {
  assigned_or_unassigned_pull_request: (event) =>
    itemSentence(event, {...pullRequest(event), action: assignment(event.payload)}),
  check_run:
    'Check [{check_run.name}]({check_run.html_url}) {check_run.status} ({check_run.conclusion}). ([{~check_run.head_sha}]({repository.html_url}/commit/{check_run.head_sha}))',
  closed_pull_request: (event) => {
    const action = event.payload.flag('pull_request.merged') ? 'merged' : 'closed without merge';
    return itemSentence(event, {...pullRequest(event), action});
  },
  commit_comment: (event) => {
    const [commitUrl = ''] = event.payload.text('comment.html_url').split('#');
    const start = filled('{sender} [commented]({comment.html_url}) on [{~comment.commit_id}]', event);
    return `${start}(${commitUrl}):${quotation(event.payload.text('comment.body'))}`;
  },
  create: '{sender} created {ref_type} {ref}.',
  delete: '{sender} deleted {ref_type} {ref}.',
  deployment: '{sender} created new deployment.',
  deployment_status: 'Deployment changed status to {deployment_status.state}.',
  discussion: `{sender} created [discussion #{#discussion.number}]({discussion.html_url}) in {discussion.category.name}:\n${quotation('### {discussion.title}\n{discussion.body}')}`,
  discussion_comment: (event) =>
    itemSentence(event, {
      ...itemOf('discussion', event),
      action: commentAction(event),
      message: event.payload.text('comment.body'),
    }),
  fork: '{sender} forked [{forkee.name}]({forkee.html_url}).',
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
    const milestone = filled('milestone [{milestone.title}]({milestone.html_url})', event);
    return changedPart(event, event.payload.text('action') === 'milestoned', milestone, 'issue');
  },
  issues: (event) => {
    const {payload} = event;
    const action = payload.text('action');
    if (action === 'assigned' || action === 'unassigned') {
      return itemSentence(event, {...itemOf('issue', event), action: assignment(payload)});
    }
    return itemSentence(event, {...itemOf('issue', event), action, message: payload.optionalText('issue.body')});
  },
  issues_opened_via_transfer:
    '[Issue #{#issue.number} {issue.title}]({issue.html_url}) was transferred from [{changes.old_repository.full_name}#{#changes.old_issue.number}]({changes.old_issue.html_url}).',
  issues_transferred:
    '{sender} transferred [issue #{#issue.number} {issue.title}]({issue.html_url}) to [{changes.new_repository.full_name}/#{#changes.new_issue.number}]({changes.new_issue.html_url}).',
  locked_or_unlocked_pull_request: (event) => {
    if (event.payload.text('action') === 'unlocked') return filled(`{sender} has unlocked ${pullRequestLink}.`, event);
    const isExplained = event.payload.optionalText('pull_request.active_lock_reason') !== undefined;
    const reason = isExplained ? ' as {pull_request.active_lock_reason}' : '';
    return filled(`{sender} has locked ${pullRequestLink}${reason} and limited conversation to collaborators.`, event);
  },
  member: `{sender} {action} ${member} to [{repository.name}]({repository.html_url}).`,
  membership: (event) => {
    const way = event.payload.text('action') === 'removed' ? 'from' : 'to';
    return filled(`{sender} {action} ${member} ${way} the {team.name} team.`, event);
  },
  opened_pull_request: changedPullRequest,
  page_build: ({payload}) => {
    const status = payload.text('build.status');
    const states: Readonly<Record<string, string>> = {
      null: 'has yet to be built',
      building: 'is being built',
      errored: `has failed: ${quotation(payload.optionalText('build.error.message') ?? '')}`,
      built: 'has finished building',
    };
    const state = ownValue(states, status) ?? `is ${status}`;
    return `GitHub Pages build, triggered by ${payload.text('build.pusher.login')}, ${state}.`;
  },
  ping: 'GitHub webhook has been successfully configured by {sender}.',
  public: `{sender} made the repository ${repository} public.`,
  pull_request_auto_merge: (event) => {
    const change = event.payload.text('action') === 'auto_merge_disabled' ? 'disabled' : 'enabled';
    return filled(`{sender} has ${change} auto merge for ${pullRequestLink}.`, event);
  },
  pull_request_ready_for_review: `**{sender}** has marked ${pullRequestLink} as ready for review.`,
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
    const reviewer = event.payload.has('requested_reviewer')
      ? '[{requested_reviewer.login}]({requested_reviewer.html_url})'
      : '[{requested_team.name}]({requested_team.html_url})';
    const name = `PR #{#pull_request.number}${event.includesTitle ? ' {pull_request.title}' : ''}`;
    return filled(`**{sender}** requested ${reviewer} for a review on [${name}]({pull_request.html_url}).`, event);
  },
  push_commits: pushedCommits,
  push_tags: ({payload, sender}) => {
    const tag = payload.text('ref').replace(/^refs\/tags\//, '');
    const sentence = `${sender} ${payload.flag('created') ? 'pushed' : 'removed'} tag ${tag}`;
    return endsWithPunctuation.test(tag) ? sentence : `${sentence}.`;
  },
  release: (event) => {
    const name = event.payload.has('release.name') ? '{release.name}' : '{release.tag_name}';
    return filled(`{sender} {action} release [${name}]({release.html_url}) for tag {release.tag_name}.`, event);
  },
  repository: `{sender} {action} the repository ${repository}.`,
  star: (event) => {
    const change = event.payload.text('action') === 'created' ? 'starred' : 'unstarred';
    return filled(`[{sender}]({sender.html_url}) ${change} the repository ${repository}.`, event);
  },
  status: (event) => {
    const state = event.payload.has('target_url') ? '[{state}]({target_url})' : '{state}';
    return filled(`[{~sha}]({commit.html_url}) changed its status to ${state}.`, event);
  },
  team: (event) => {
    const {payload} = event;
    if (payload.has('changes.description')) {
      return filled(`**{sender}** changed the team description to:\n${quotation('{team.description}')}`, event);
    }
    if (payload.has('changes.name')) return filled('Team `{changes.name.from}` was renamed to `{team.name}`.', event);
    if (payload.has('changes.privacy')) return filled('Team visibility changed to `{team.privacy}`', event);
    return `Team has changes to \`${payload.names('changes').sort().join('/')}\` data.`;
  },
  team_add: `The repository ${repository} was added to team {team.name}.`,
  updated_pull_request: changedPullRequest,
  watch: `{sender} starred the repository ${repository}.`,
} as const satisfies Readonly<Record<string, string | ((event: GitHubEvent) => string)>>;

export type EventName = keyof typeof eventTexts;

export function eventText(name: EventName, event: GitHubEvent): string {
  const text = eventTexts[name];
  return typeof text === 'string' ? filled(text, event) : text(event);
}

/** Fills a template: `{path}` is a text of the payload, `{#path}` a number, `{~path}` a short hash, `{sender}` the person. */
function filled(template: string, {payload, sender}: GitHubEvent): string {
  return template.replaceAll(/\{([#~]?)([\w.]+)\}/g, (_, kind, path) => {
    if (path === 'sender') return sender;
    if (kind === '#') return String(payload.number(path));
    return kind === '~' ? shortSha(payload.text(path)) : payload.text(path);
  });
}

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
  const quoted = message === '' ? '' : `\n${quotation(message)}`;
  return `${sender} ${action} [${name}](${url})${from}${assigned}${end}${quoted}`.trimEnd();
}

/** Returns what every sentence about the event's issue, discussion or pull request has. */
function itemOf(kind: 'issue' | 'discussion' | 'pull_request', {payload}: GitHubEvent) {
  const number = payload.number(`${kind}.number`);
  const title = payload.text(`${kind}.title`);
  const url = `${kind}.html_url`;
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
  const branch = branchName(payload);
  const url = payload.text('compare');
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

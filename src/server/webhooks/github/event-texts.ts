import type {Payload} from '#server/webhooks/webhook.ts';
import {
  assignedPullRequest,
  assignment,
  autoMergeOfPullRequest,
  changedPullRequest,
  closedPullRequest,
  type GitHubEvent,
  itemSentence,
  lockedPullRequest,
  quoted,
  readyPullRequest,
  repositoryLink,
  requestedReview,
  reviewComment,
  shortSha,
  submittedReview,
} from './github-event.ts';

/** The text about each event, by the event's name in `only_events` and `exclude_events`. */
export const eventTexts = {
  assigned_or_unassigned_pull_request: assignedPullRequest,
  check_run: checkRun,
  closed_pull_request: closedPullRequest,
  commit_comment: commitComment,
  create: ({payload, sender}) => `${sender} created ${payload.text('ref_type')} ${payload.text('ref')}.`,
  delete: ({payload, sender}) => `${sender} deleted ${payload.text('ref_type')} ${payload.text('ref')}.`,
  deployment: ({sender}) => `${sender} created new deployment.`,
  deployment_status: ({payload}) => `Deployment changed status to ${payload.text('deployment_status.state')}.`,
  discussion,
  discussion_comment: discussionComment,
  fork: ({payload, sender}) => `${sender} forked [${payload.text('forkee.name')}](${payload.text('forkee.html_url')}).`,
  gollum: wikiPages,
  issue_comment: issueComment,
  issue_labeled_or_unlabeled: labeledIssue,
  issue_milestoned_or_demilestoned: milestonedIssue,
  issues: changedIssue,
  issues_opened_via_transfer: receivedIssue,
  issues_transferred: transferredIssue,
  locked_or_unlocked_pull_request: lockedPullRequest,
  member: ({payload, sender}) =>
    `${sender} ${payload.text('action')} ${memberLink({payload})} to ${shortRepositoryLink({payload})}.`,
  membership: ({payload, sender}) => {
    const action = payload.text('action');
    const way = action === 'removed' ? 'from' : 'to';
    return `${sender} ${action} ${memberLink({payload})} ${way} the ${payload.text('team.name')} team.`;
  },
  opened_pull_request: changedPullRequest,
  page_build: pageBuild,
  ping: ({sender}) => `GitHub webhook has been successfully configured by ${sender}.`,
  public: (event) => `${event.sender} made the repository ${repositoryLink(event)} public.`,
  pull_request_auto_merge: autoMergeOfPullRequest,
  pull_request_ready_for_review: readyPullRequest,
  pull_request_review: submittedReview,
  pull_request_review_comment: reviewComment,
  pull_request_review_requested: requestedReview,
  push_commits: pushedCommits,
  push_tags: pushedTag,
  release: ({payload, sender}) => {
    const [tag, url] = [payload.text('release.tag_name'), payload.text('release.html_url')];
    const name = payload.has('release.name') ? payload.text('release.name') : tag;
    return `${sender} ${payload.text('action')} release [${name}](${url}) for tag ${tag}.`;
  },
  repository: (event) => `${event.sender} ${event.payload.text('action')} the repository ${repositoryLink(event)}.`,
  star: (event) => {
    const {payload, sender} = event;
    const change = payload.text('action') === 'created' ? 'starred' : 'unstarred';
    return `[${sender}](${payload.text('sender.html_url')}) ${change} the repository ${repositoryLink(event)}.`;
  },
  status: commitStatus,
  team: changedTeam,
  team_add: (event) => `The repository ${repositoryLink(event)} was added to team ${event.payload.text('team.name')}.`,
  updated_pull_request: changedPullRequest,
  watch: (event) => `${event.sender} starred the repository ${repositoryLink(event)}.`,
} as const satisfies Readonly<Record<string, (event: GitHubEvent) => string>>;

export type EventName = keyof typeof eventTexts;

function memberLink({payload}: Pick<GitHubEvent, 'payload'>): string {
  return `[${payload.text('member.login')}](${payload.text('member.html_url')})`;
}

function shortRepositoryLink({payload}: Pick<GitHubEvent, 'payload'>): string {
  return `[${payload.text('repository.name')}](${payload.text('repository.html_url')})`;
}

function checkRun({payload}: GitHubEvent): string {
  const run = (name: string) => payload.text(`check_run.${name}`);
  const sha = run('head_sha');
  const commit = `[${shortSha(sha)}](${payload.text('repository.html_url')}/commit/${sha})`;
  return `Check [${run('name')}](${run('html_url')}) ${run('status')} (${run('conclusion')}). (${commit})`;
}

function wikiPages({payload, sender}: GitHubEvent): string {
  const lines = payload
    .list('pages')
    .map((page) => `* ${page.text('action')} [${page.text('title')}](${page.text('html_url')})`);
  return `${sender}:\n${lines.join('\n')}`;
}

function pageBuild({payload}: GitHubEvent): string {
  const status = payload.text('build.status');
  const states: Readonly<Record<string, string>> = {
    null: 'has yet to be built',
    building: 'is being built',
    errored: `has failed: ${quoted(payload.optionalText('build.error.message') ?? '')}`,
    built: 'has finished building',
  };
  const state = Object.hasOwn(states, status) ? states[status] : `is ${status}`;
  return `GitHub Pages build, triggered by ${payload.text('build.pusher.login')}, ${state}.`;
}

function commitStatus({payload}: GitHubEvent): string {
  const state = payload.text('state');
  const url = payload.optionalText('target_url') ?? '';
  const commit = `[${shortSha(payload.text('sha'))}](${payload.text('commit.html_url')})`;
  return `${commit} changed its status to ${url === '' ? state : `[${state}](${url})`}.`;
}

function changedTeam({payload, sender}: GitHubEvent): string {
  if (payload.has('changes.description')) {
    return `**${sender}** changed the team description to:\n${quoted(payload.text('team.description'))}`;
  }
  if (payload.has('changes.name')) {
    return `Team \`${payload.text('changes.name.from')}\` was renamed to \`${payload.text('team.name')}\`.`;
  }
  if (payload.has('changes.privacy')) return `Team visibility changed to \`${payload.text('team.privacy')}\``;
  return `Team has changes to \`${payload.names('changes').sort().join('/')}\` data.`;
}

/** Returns what every sentence about the event's issue has. */
function issue({payload}: GitHubEvent) {
  return {
    kind: 'issue',
    number: payload.number('issue.number'),
    title: payload.text('issue.title'),
    url: payload.text('issue.html_url'),
  };
}

function changedIssue(event: GitHubEvent): string {
  const {payload} = event;
  const action = payload.text('action');
  if (action === 'assigned' || action === 'unassigned') {
    return itemSentence(event, {...issue(event), action: assignment(payload)});
  }
  return itemSentence(event, {...issue(event), action, message: payload.optionalText('issue.body')});
}

function issueComment(event: GitHubEvent): string {
  const {payload} = event;
  const kind = payload.has('issue.pull_request') ? 'PR' : 'issue';
  return itemSentence(event, {
    ...issue(event),
    kind,
    action: commentAction(event),
    message: payload.text('comment.body'),
  });
}

function commentAction({payload}: GitHubEvent): string {
  const action = payload.text('action');
  const link = `(${payload.text('comment.html_url')}) on`;
  return action === 'created' ? `[commented]${link}` : `${action} a [comment]${link}`;
}

function labeledIssue(event: GitHubEvent): string {
  const isAdded = event.payload.text('action') === 'labeled';
  return changedPart(event, isAdded, `the ${event.payload.text('label.name')} label`, 'Issue');
}

function milestonedIssue(event: GitHubEvent): string {
  const {payload} = event;
  const milestone = `milestone [${payload.text('milestone.title')}](${payload.text('milestone.html_url')})`;
  return changedPart(event, payload.text('action') === 'milestoned', milestone, 'issue');
}

function changedPart(event: GitHubEvent, isAdded: boolean, part: string, kind: string): string {
  const {number, title, url} = issue(event);
  const name = `${kind} #${number}${event.includesTitle ? ` ${title}` : ''}`;
  const user = `[${event.sender}](${event.payload.text('sender.html_url')})`;
  return `${user} ${isAdded ? 'added' : 'removed'} ${part} ${isAdded ? 'to' : 'from'} [${name}](${url}).`;
}

function transferredIssue(event: GitHubEvent): string {
  const {payload, sender} = event;
  const {number, title, url} = issue(event);
  const target = `${payload.text('changes.new_repository.full_name')}/#${payload.number('changes.new_issue.number')}`;
  const address = payload.text('changes.new_issue.html_url');
  return `${sender} transferred [issue #${number} ${title}](${url}) to [${target}](${address}).`;
}

function receivedIssue(event: GitHubEvent): string {
  const {payload} = event;
  const {number, title, url} = issue(event);
  const source = `${payload.text('changes.old_repository.full_name')}#${payload.number('changes.old_issue.number')}`;
  const address = payload.text('changes.old_issue.html_url');
  return `[Issue #${number} ${title}](${url}) was transferred from [${source}](${address}).`;
}

function commitComment({payload, sender}: GitHubEvent): string {
  const url = payload.text('comment.html_url');
  const [commitUrl = ''] = url.split('#');
  const commit = `[${shortSha(payload.text('comment.commit_id'))}](${commitUrl})`;
  return `${sender} [commented](${url}) on ${commit}:${quoted(payload.text('comment.body'))}`;
}

function discussion({payload, sender}: GitHubEvent): string {
  const link = `[discussion #${payload.number('discussion.number')}](${payload.text('discussion.html_url')})`;
  const text = `### ${payload.text('discussion.title')}\n${payload.text('discussion.body')}`;
  return `${sender} created ${link} in ${payload.text('discussion.category.name')}:\n${quoted(text)}`;
}

function discussionComment(event: GitHubEvent): string {
  const {payload} = event;
  return itemSentence(event, {
    kind: 'discussion',
    number: payload.number('discussion.number'),
    title: payload.text('discussion.title'),
    url: payload.text('discussion.html_url'),
    action: commentAction(event),
    message: payload.text('comment.body'),
  });
}

const shownCommits = 20;
const namedCommitters = 3;

export function branchName(payload: Payload): string {
  return payload.text('ref').replace(/^refs\/heads\//, '');
}

function pushedTag({payload, sender}: GitHubEvent): string {
  const tag = payload.text('ref').replace(/^refs\/tags\//, '');
  const sentence = `${sender} ${payload.flag('created') ? 'pushed' : 'removed'} tag ${tag}`;
  return /[!-/:-@[-`{-~]$/.test(tag) ? sentence : `${sentence}.`;
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

interface Committer {
  readonly name: string;
  readonly count: number;
}

/** Returns the committers with the most commits first; those after the third together as “others”. */
function committersOf(commits: readonly Payload[]): Committer[] {
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

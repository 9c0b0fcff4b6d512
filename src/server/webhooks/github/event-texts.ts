import {type GitHubEvent, quoted, repositoryLink, shortSha} from './github-event.ts';
import {
  changedIssue,
  commitComment,
  discussion,
  discussionComment,
  issueComment,
  labeledIssue,
  milestonedIssue,
  receivedIssue,
  transferredIssue,
} from './issues.ts';
import {
  assignedPullRequest,
  autoMergeOfPullRequest,
  changedPullRequest,
  closedPullRequest,
  lockedPullRequest,
  readyPullRequest,
  requestedReview,
  reviewComment,
  submittedReview,
} from './pull-requests.ts';
import {pushedCommits, pushedTag} from './push.ts';

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

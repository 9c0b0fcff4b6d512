import {type GitHubEvent, itemSentence, quoted, shortSha} from './github-event.ts';
import {assignment} from './pull-requests.ts';

/** Returns what every sentence about the event's issue has. */
function issue({payload}: GitHubEvent) {
  return {
    kind: 'issue',
    number: payload.number('issue.number'),
    title: payload.text('issue.title'),
    url: payload.text('issue.html_url'),
  };
}

export function changedIssue(event: GitHubEvent): string {
  const {payload} = event;
  const action = payload.text('action');
  if (action === 'assigned' || action === 'unassigned') {
    return itemSentence(event, {...issue(event), action: assignment(payload)});
  }
  return itemSentence(event, {...issue(event), action, message: payload.optionalText('issue.body')});
}

export function issueComment(event: GitHubEvent): string {
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

export function labeledIssue(event: GitHubEvent): string {
  const isAdded = event.payload.text('action') === 'labeled';
  return changedPart(event, isAdded, `the ${event.payload.text('label.name')} label`, 'Issue');
}

export function milestonedIssue(event: GitHubEvent): string {
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

export function transferredIssue(event: GitHubEvent): string {
  const {payload, sender} = event;
  const {number, title, url} = issue(event);
  const target = `${payload.text('changes.new_repository.full_name')}/#${payload.number('changes.new_issue.number')}`;
  const address = payload.text('changes.new_issue.html_url');
  return `${sender} transferred [issue #${number} ${title}](${url}) to [${target}](${address}).`;
}

export function receivedIssue(event: GitHubEvent): string {
  const {payload} = event;
  const {number, title, url} = issue(event);
  const source = `${payload.text('changes.old_repository.full_name')}#${payload.number('changes.old_issue.number')}`;
  const address = payload.text('changes.old_issue.html_url');
  return `[Issue #${number} ${title}](${url}) was transferred from [${source}](${address}).`;
}

export function commitComment({payload, sender}: GitHubEvent): string {
  const url = payload.text('comment.html_url');
  const [commitUrl = ''] = url.split('#');
  const commit = `[${shortSha(payload.text('comment.commit_id'))}](${commitUrl})`;
  return `${sender} [commented](${url}) on ${commit}:${quoted(payload.text('comment.body'))}`;
}

export function discussion({payload, sender}: GitHubEvent): string {
  const link = `[discussion #${payload.number('discussion.number')}](${payload.text('discussion.html_url')})`;
  const text = `### ${payload.text('discussion.title')}\n${payload.text('discussion.body')}`;
  return `${sender} created ${link} in ${payload.text('discussion.category.name')}:\n${quoted(text)}`;
}

export function discussionComment(event: GitHubEvent): string {
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

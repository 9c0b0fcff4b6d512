import type {RequestContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {ApiError} from '#server/errors.ts';
import {Payload, type Webhook} from '#server/webhooks/webhook.ts';
import {ownValue} from '#std/own-value.ts';
import {profileFieldTypes} from '#wire/objects/user.ts';
import {branchName, type EventName, eventText, eventTexts} from './event-texts.ts';

const header = 'X-GitHub-Event';

/** The events of GitHub repositories and organizations. */
export const githubWebhook: Webhook = {
  name: 'GitHub',
  message(request) {
    const payload = Payload.parse(this.name, request.bodyText);
    const kind = request.headers[header.toLowerCase()];
    if (typeof kind !== 'string') {
      throw new ApiError('MISSING_HTTP_EVENT_HEADER', `Missing the HTTP event header '${header}'`, 400, {header});
    }
    const login = payload.text('sender.login');
    const isIgnored =
      (request.ignorePrivateRepositories && payload.has('repository.private')) || isUnchangedComment(kind, payload);
    const event = isIgnored ? null : eventName(kind, payload, request.branches);
    if (event === null) return undefined;
    const content = eventText(event, {
      payload,
      sender: mentionOf(request.call, login) ?? login,
      includesTitle: request.topic !== undefined,
    });
    return {topic: topicOf(event, payload), content, event};
  },
};

function isUnchangedComment(kind: string, payload: Payload): boolean {
  if (!kind.includes('comment') || kind.includes('discussion')) return false;
  if (payload.optionalText('action') !== 'edited') return false;
  return payload.text('changes.body.from') === payload.text('comment.body');
}

/** Returns a mention of the only user whose profile has this GitHub account. It does not notify them. */
function mentionOf({db}: RequestContext, login: string): string | undefined {
  const sql = `SELECT user.id, user.full_name FROM profile_field AS field
     JOIN profile_value AS own ON own.field_id = field.id JOIN user ON user.id = own.user_id
     WHERE field.type = ? AND nullif(field.field_data, '') ->> '$.subtype' = 'github' AND own.value = ?
       AND user.is_active = 1 LIMIT 2`;
  const [user, second] = db.all<Pick<UserRow, 'id' | 'full_name'>>(sql, profileFieldTypes.externalAccount, login);
  return user === undefined || second !== undefined ? undefined : `@_**${user.full_name}|${user.id}**`;
}

function topicOf(event: EventName, payload: Payload): string {
  const repository = () => payload.text('repository.name');
  if (event.includes('pull_request')) return itemTopic('PR', 'pull_request', payload);
  if (event.startsWith('issue')) return itemTopic(payload.has('issue.pull_request') ? 'PR' : 'issue', 'issue', payload);
  if (event.startsWith('deployment'))
    return `${repository()} / Deployment on ${payload.text('deployment.environment')}`;
  if (event.startsWith('discussion')) {
    return `${repository()} discussion #${payload.number('discussion.number')}: ${payload.text('discussion.title')}`;
  }
  switch (event) {
    case 'membership':
      return `${payload.text('organization.login')} organization`;
    case 'team':
      return `team ${payload.text('team.name')}`;
    case 'push_commits':
      return `${repository()} / ${branchName(payload)}`;
    case 'gollum':
      return `${repository()} / wiki pages`;
    case 'check_run':
      return `${repository()} / checks`;
    case 'ping':
      return payload.has('repository') ? repository() : payload.text('organization.login');
    default:
      return repository();
  }
}

function itemTopic(kind: string, member: 'pull_request' | 'issue', payload: Payload): string {
  const name = `${kind} #${payload.number(`${member}.number`)} ${payload.text(`${member}.title`)}`;
  return `${payload.text('repository.name')} / ${name}`;
}

/** Events that GitHub sends and nobody needs a message about. */
const silentEvents: ReadonlySet<string> = new Set([
  'check_suite',
  'label',
  'meta',
  'milestone',
  'organization',
  'project_card',
  'repository_vulnerability_alert',
]);

/** The names of the events of pull requests, by action; null for those without a message. */
const pullRequestEvents: Readonly<Record<string, EventName | null>> = {
  opened: 'opened_pull_request',
  reopened: 'opened_pull_request',
  synchronize: 'updated_pull_request',
  edited: 'updated_pull_request',
  assigned: 'assigned_or_unassigned_pull_request',
  unassigned: 'assigned_or_unassigned_pull_request',
  closed: 'closed_pull_request',
  review_requested: 'pull_request_review_requested',
  ready_for_review: 'pull_request_ready_for_review',
  locked: 'locked_or_unlocked_pull_request',
  unlocked: 'locked_or_unlocked_pull_request',
  auto_merge_enabled: 'pull_request_auto_merge',
  auto_merge_disabled: 'pull_request_auto_merge',
  approved: null,
  converted_to_draft: null,
  labeled: null,
  review_request_removed: null,
  unlabeled: null,
};

const issueEvents: Readonly<Record<string, EventName>> = {
  labeled: 'issue_labeled_or_unlabeled',
  unlabeled: 'issue_labeled_or_unlabeled',
  milestoned: 'issue_milestoned_or_demilestoned',
  demilestoned: 'issue_milestoned_or_demilestoned',
  transferred: 'issues_transferred',
};

const teamEvents: Readonly<Record<string, EventName | null>> = {
  edited: 'team',
  added_to_repository: null,
  created: null,
  deleted: null,
  removed_from_repository: null,
};

/**
 * Returns the name of an event from the X-GitHub-Event header and the payload; null for an event without a message.
 * Throws for an event that is not known.
 */
function eventName(header: string, payload: Payload, branches: string | undefined): EventName | null {
  switch (header) {
    case 'pull_request':
      return byAction(header, pullRequestEvents, payload);
    case 'pull_request_review':
      // GitHub sends an empty change after each submitted review.
      return payload.text('action') === 'edited' && payload.names('changes').length === 0 ? null : header;
    case 'push':
      return pushEvent(payload, branches);
    case 'check_run':
      return payload.text('check_run.status') === 'completed' ? header : null;
    case 'team':
      return byAction(header, teamEvents, payload);
    case 'issues': {
      const action = payload.text('action');
      if (action === 'opened' && payload.has('changes.old_issue')) return 'issues_opened_via_transfer';
      return ownValue(issueEvents, action) ?? header;
    }
    default:
      if (silentEvents.has(header)) return null;
      if (isEventName(header)) return header;
      throw unsupported(`${header}:${payload.optionalText('action') ?? '???'}`);
  }
}

function pushEvent(payload: Payload, branches: string | undefined): EventName | null {
  const ref = payload.text('ref');
  if (ref.startsWith('refs/heads/gh-readonly-queue/')) return null;
  if (!ref.startsWith('refs/heads/')) return 'push_tags';
  const isWanted = branches === undefined || branches.split(',').some((name) => name.trim() === branchName(payload));
  return isWanted ? 'push_commits' : null;
}

function byAction(
  header: string,
  names: Readonly<Record<string, EventName | null>>,
  payload: Payload,
): EventName | null {
  const action = payload.text('action');
  if (!Object.hasOwn(names, action)) throw unsupported(`${header}:${action}`);
  return names[action] ?? null;
}

function isEventName(name: string): name is EventName {
  return Object.hasOwn(eventTexts, name);
}

function unsupported(event: string): ApiError {
  const message = `The '${event}' event isn't currently supported by the GitHub webhook; ignoring`;
  const extra = {webhook_name: 'GitHub', event_type: event};
  return new ApiError('UNSUPPORTED_WEBHOOK_EVENT_TYPE', message, 200, extra);
}

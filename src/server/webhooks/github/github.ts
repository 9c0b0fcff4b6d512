import type {RequestContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {ApiError} from '#server/http/errors.ts';
import {Payload} from '#server/webhooks/payload.ts';
import type {Webhook} from '#server/webhooks/webhook.ts';
import {profileFieldTypes} from '#wire/objects/profile-field.ts';
import {eventName} from './event-name.ts';
import {type EventName, eventTexts} from './event-texts.ts';
import {branchName} from './push.ts';

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
    const text = eventTexts[event];
    const content = text({
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
  const [user, second] = db.all<Pick<UserRow, 'id' | 'full_name'>>(
    `SELECT user.id, user.full_name FROM profile_field AS field
     JOIN profile_value AS own ON own.field_id = field.id JOIN user ON user.id = own.user_id
     WHERE field.type = ? AND nullif(field.field_data, '') ->> '$.subtype' = 'github' AND own.value = ?
       AND user.is_active = 1 LIMIT 2`,
    profileFieldTypes.externalAccount,
    login,
  );
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

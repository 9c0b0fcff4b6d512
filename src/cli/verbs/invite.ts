import {type StateContext, withFetchedUsers} from '#cli/account-access/with-state.ts';
import {PlainFailure, UsageError} from '#cli/io.ts';
import {channelArgument, groupArgument, isEmailAddress, requirePermission, timeText} from '#cli/name-arguments.ts';
import {tableText} from '#cli/table-lines.ts';
import {distinctUserName} from '#state/selectors/names/names.ts';
import {allowedIf, hasRealmPermission} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {isRefusal, type PermanentFailure} from '#wire/failure.ts';
import {type Invite, type InviteLink, roles} from '#wire/objects/user.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {changeEach, partly, stateVerb} from './account-verb.ts';
import {roleName} from './role-name.ts';
import {printResult, type VerbArguments, type VerbResult, type VerbRunner} from './verb-table.ts';

const needs = {fetch: ['realm', 'subscription', 'realm_user_groups'], people: 'self'} as const;
const minutesPerDay = 24 * 60;

export const invite: VerbRunner<'invite'> = stateVerb(
  ({words}) => {
    const emails = [...new Set(words.flatMap((word) => word.split(',')).map((word) => word.trim()))];
    for (const email of emails) {
      if (!isEmailAddress(email)) throw new UsageError(`“${email}” is not an e-mail address.`);
    }
    return {...needs, emails};
  },
  async (context, {emails}) => {
    const {api, state, io, values} = context;
    requireInvitePermission(context, 'canInviteUsersGroup');
    const args = {
      invitee_emails: emails.join(','),
      ...invitationArgs(state, values),
      notify_referrer_on_join: !values.quiet,
    };
    const {invite_links: links = []} = await api.sendInvites(args).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      const given: readonly InviteLink[] = error.body?.invite_links ?? [];
      const invited = given.map(({email}) => email);
      if (given.length > 0) printResult(io, values, invitedResult(invited, given));
      throw partialFailure(error);
    });
    return invitedResult(emails, links);
  },
);

/** A server that sends no mail hands the links of invitations by e-mail to the inviter alone. */
function invitedResult(invited: readonly string[], links: readonly InviteLink[]): VerbResult {
  const sentence = `Invited ${invited.map(printableLine).join(', ')}.`;
  if (links.length === 0) return {json: {invited}, text: sentence};
  const rows = links.map(({email, link_url}) => [email, link_url]);
  return {
    json: {invited, links: links.map(({email, link_url: url}) => ({email, url}))},
    text: [sentence, 'This server sends no e-mail. Give each person their link:', tableText(rows)].join('\n'),
  };
}

/** Returns a failure that names the addresses that could not be invited, if the server says which. */
function partialFailure(error: PermanentFailure): PermanentFailure | PlainFailure {
  const errors: unknown = error.body?.errors;
  const rejected = (Array.isArray(errors) ? errors : []).flatMap((entry: unknown) =>
    Array.isArray(entry) ? [entry.slice(0, 2).map(String).join(': ')] : [],
  );
  if (rejected.length === 0) return error;
  return new PlainFailure(composed`${error.message} ${printableLine(rejected.join(' '))}`);
}

function requireInvitePermission({state, io}: StateContext, name: 'canInviteUsersGroup' | 'createMultiuseInviteGroup') {
  const isAllowed = hasRealmPermission(state, name, io.clock.now());
  requirePermission(allowedIf(isAllowed, 'You do not have permission to invite people.'));
}

export const inviteLink: VerbRunner<'invite link'> = stateVerb(needs, async (context) => {
  requireInvitePermission(context, 'createMultiuseInviteGroup');
  const args = invitationArgs(context.state, context.values);
  const {invite_link: url} = await context.api.createInviteLink(args);
  return {json: {url}, text: printableLine(url)};
});

function invitationArgs(state: AccountState, values: VerbArguments<'invite link'>['values']) {
  const {role, channel, group, expires, welcome} = values;
  return {
    stream_ids: channel.map((text) => channelArgument(state, text).id),
    include_realm_default_subscriptions: channel.length === 0,
    ...(role !== undefined && {invite_as: roles[role]}),
    ...(group.length > 0 && {group_ids: group.map((text) => groupArgument(state, text).id)}),
    ...(expires !== undefined && {invite_expires_in_minutes: expiryArgument(expires)}),
    ...(welcome !== undefined && {welcome_message_custom_text: welcome}),
  };
}

function expiryArgument(text: string): number | null {
  if (text === 'never') return null;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text) * minutesPerDay;
  throw new UsageError(`--expires must be a number of days or never, not “${text}”.`);
}

export const inviteList: VerbRunner<'invite list'> = stateVerb(needs, async (context) => {
  const {invites} = await context.api.getInvites({});
  const inviters = invites.flatMap(({invited_by_user_id: id}) => id ?? []);
  const {state} = await withFetchedUsers(context, inviters);
  return {
    json: invites.map(inviteJson),
    text: invites.length === 0 ? 'No invitations.' : tableText(invites.map((each) => inviteCells(state, each))),
  };
});

function inviteCells(state: AccountState, each: Invite): string[] {
  const {id, email, url, role, expiresAt, invitedById} = inviteJson(each);
  return [
    id,
    email ?? url ?? '',
    role,
    expiresAt === null ? 'never expires' : `until ${timeText(expiresAt)}`,
    invitedById === null ? '' : composed`by ${distinctUserName(state, invitedById)}`,
  ];
}

function inviteJson(each: Invite) {
  return {
    // E-mail invitations and links are numbered separately.
    id: each.is_multiuse ? `link-${each.id}` : String(each.id),
    email: each.email ?? null,
    url: each.link_url ?? null,
    role: roleName(each.invited_as),
    invitedAt: each.invited ?? null,
    expiresAt: each.expiry_date ?? null,
    invitedById: each.invited_by_user_id ?? null,
  };
}

export const inviteRevoke: VerbRunner<'invite revoke'> = stateVerb(
  ({words}) => ({...needs, ids: inviteIds(words)}),
  async ({api, io}, {ids}) => {
    const revoke = ({id, isLink}: InviteId) =>
      isLink ? api.revokeInviteLink({invite_id: id}) : api.revokeInvite({invite_id: id});
    await changeEach(io, ids, revoke, partly(ids, 'revoked'));
    return {json: {revoked: ids.map(({text}) => text)}, text: `Revoked ${countedNoun(ids.length, 'invitation')}.`};
  },
);

export const inviteResend: VerbRunner<'invite resend'> = stateVerb(
  ({words}) => {
    const ids = inviteIds(words);
    if (ids.some(({isLink}) => isLink)) throw new UsageError('A link has no e-mail that could be sent again.');
    return {...needs, ids};
  },
  async ({api, io}, {ids}) => {
    let sendsMail = true;
    const links: {readonly id: string; readonly url: string}[] = [];
    const resend = async ({id, text}: InviteId) => {
      const {invite_link: url} = await api.resendInvite({invite_id: id});
      if (url !== undefined) sendsMail = false;
      if (typeof url === 'string') links.push({id: text, url});
    };
    await changeEach(io, ids, resend, partly(ids, 'sent again'));
    const count = countedNoun(ids.length, 'invitation');
    const sentence = sendsMail ? `Sent ${count} again.` : `Extended ${count}. This server sends no e-mail.`;
    const resent = ids.map(({text}) => text);
    if (links.length === 0) return {json: {resent}, text: sentence};
    return {json: {resent, links}, text: `${sentence}\n${tableText(links.map(({id, url}) => [id, url]))}`};
  },
);

type InviteId = ReturnType<typeof inviteIds>[number];

function inviteIds(words: readonly string[]) {
  return [...new Set(words)].map((text) => {
    const [, link, digits] = /^(link-)?(\d{1,15})$/.exec(text) ?? [];
    if (digits === undefined) throw new UsageError(`“${text}” is not an id from “parley invite list”.`);
    return {id: Number(digits), isLink: link !== undefined, text};
  });
}

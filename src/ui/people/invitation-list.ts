import {userName} from '#state/selectors/names/names.ts';
import {canCreateInviteLink, canInvite} from '#state/selectors/permissions/people-permissions.ts';
import {isOwner} from '#state/selectors/permissions/permission.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import {ageText, dueText} from '#ui/format/moment-text.ts';
import {plainGlyphText} from '#ui/format/ui-glyphs.ts';
import {
  type OpenedRecordList,
  openRecordList,
  type RecordAction,
  type RecordRow,
  recordAction,
} from '#ui/forms/record-list.ts';
import {copyText} from '#ui/message-actions/message-content.ts';
import type {Invite} from '#wire/objects/user.ts';
import {roles} from '#wire/objects/user.ts';
import {openInviteForm, openInviteLinkCard} from './invite-form.ts';
import {roleName} from './user-details.ts';

/** Opens the list of invitations: the user's own, and for administrators all. Events of other clients update it. */
export function openInvitationList(app: App): void {
  let invites: readonly Invite[] = [];
  const inviteOf = ({key}: RecordRow) => invites.find((one) => keyOf(one) === key);
  const list = openRecordList<readonly Invite[]>(app, {
    id: 'invitations',
    title: 'Invitations',
    columns: 76,
    empty: 'No open invitations',
    load: async () => {
      ({invites} = await app.session.context.api.getInvites({}));
      return invites;
    },
    rows: (frame, loaded) => invitationRows(frame, loaded),
    add: {
      label: 'Invite people…',
      disabledReason: (frame) => inviteProblem(frame),
      run: (from) => openInviteForm(from, canInvite(from.state, from.clock.now()).ok ? 'email' : 'link'),
    },
    actions: invitationActions(inviteOf),
    onClose: () => leave(),
  });
  const leave = app.session.cache.subscribe(['lastInviteChange'], () => list.reload());
}

/** Returns why the user can invite nobody, neither by email nor with a link. */
export function inviteProblem({account, minute}: Pick<Frame, 'account' | 'minute'>): string | undefined {
  const permission = canInvite(account, minute);
  return permission.ok || canCreateInviteLink(account, minute).ok ? undefined : permission.reason;
}

/** Links and invitations by email are numbered separately. */
function keyOf({id, is_multiuse}: Invite): string {
  return `${is_multiuse ? 'link' : 'email'} ${id}`;
}

function invitationRows(frame: Frame, invites: readonly Invite[]): readonly RecordRow[] {
  const [links, emails] = [invites.filter((one) => one.is_multiuse), invites.filter((one) => !one.is_multiuse)];
  const section = (key: string, label: string, some: readonly Invite[]): readonly RecordRow[] =>
    some.length === 0 ? [] : [{key, label, isTitle: true}, ...some.map((one) => invitationRow(frame, one))];
  return [...section('emails', 'By email', emails), ...section('links', 'Links', links)];
}

function invitationRow(frame: Frame, one: Invite): RecordRow {
  const {account, minute, display} = frame;
  const {invited_as: role = roles.member, invited_by_user_id: by, invited, expiry_date: expires} = one;
  const age = invited === undefined ? '' : ageText(invited * 1000, minute);
  const notes = [
    role === roles.member ? '' : roleName(role),
    by === undefined || by === account.self.userId ? '' : `by ${userName(account, by)}`,
    age === '' ? '' : age === 'now' ? 'sent just now' : `sent ${age} ago`,
    expiryText(frame, expires),
  ];
  return {
    key: keyOf(one),
    label: one.is_multiuse ? linkLabel(one) : (one.email ?? 'Invitation'),
    detail: plainGlyphText(notes.filter((note) => note !== '').join(' · '), display),
  };
}

/** Returns the part of a link that tells it from others. */
function linkLabel({link_url: url = ''}: Invite): string {
  return URL.canParse(url) ? new URL(url).pathname : 'Link';
}

function expiryText(frame: Frame, expires: number | null | undefined): string {
  if (expires === undefined) return '';
  if (expires === null) return 'never expires';
  return expires * 1000 <= frame.minute ? 'expired' : `until ${dueText(frame, expires * 1000)}`;
}

function invitationActions(inviteOf: (row: RecordRow) => Invite | undefined): readonly RecordAction[] {
  const ownerProblem = (row: RecordRow, {account}: Frame) =>
    inviteOf(row)?.invited_as === roles.owner && !isOwner(account)
      ? 'Only owners can change the invitation of an owner.'
      : undefined;
  return [
    recordAction('Enter', 'copy link', {
      isReadOnly: true,
      appliesTo: (row) => inviteOf(row)?.link_url !== undefined,
      run: (app, row) => {
        const url = inviteOf(row)?.link_url;
        if (url !== undefined) copyText(app, url, url);
      },
    }),
    recordAction('Ctrl-R', 'send again', {
      appliesTo: (row) => inviteOf(row)?.is_multiuse === false,
      disabledReason: ownerProblem,
      run: (app, row, list) => sendAgain(app, inviteOf(row), list),
    }),
    recordAction('Delete', 'revoke', {
      disabledReason: ownerProblem,
      confirm: (row) => ({
        title: inviteOf(row)?.is_multiuse === true ? 'Revoke this link?' : `Revoke the invitation of ${row.label}?`,
        yes: 'Revoke',
        detail: 'nobody can join with it any more',
      }),
      run: (app, row, list) => revoke(app, inviteOf(row), list),
    }),
  ];
}

function sendAgain(app: App, one: Invite | undefined, list: OpenedRecordList): void {
  if (one === undefined) return;
  requestFromServer(app, {
    send: () => app.session.context.api.resendInvite({invite_id: one.id}),
    // A server that sends no mail only extends the invitation, and returns its link to the inviter and null to others.
    doneText: ({invite_link: link}) => {
      list.reload();
      if (link === undefined) return `Sent the invitation to ${one.email} again`;
      if (link !== null) openInviteLinkCard(app, [{email: one.email ?? '', link_url: link}]);
      return {text: `Extended the invitation of ${one.email}`, hint: 'this server sends no email'};
    },
    failureText: 'The invitation was not sent again',
  });
}

function revoke(app: App, one: Invite | undefined, list: OpenedRecordList): void {
  if (one === undefined) return;
  const {api} = app.session.context;
  const args = {invite_id: one.id};
  requestFromServer(app, {
    send: () => (one.is_multiuse ? api.revokeInviteLink(args) : api.revokeInvite(args)),
    doneText: () => {
      list.reload();
      return one.is_multiuse ? 'Revoked the link' : `Revoked the invitation of ${one.email}`;
    },
    failureText: 'The invitation was not revoked',
  });
}

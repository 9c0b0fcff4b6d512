import {type DeactivationAction, deactivateUser, deactivationActions, reactivateUser} from '#state/actions/people.ts';
import {distinctUserName} from '#state/selectors/names/names.ts';
import {canDeactivateUser} from '#state/selectors/permissions/people-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {Form, FormField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {featureProblem} from '#wire/server-features.ts';

type DeactivationValues = {readonly notifies: boolean; readonly comment: string} & Readonly<
  Record<DeactivationAction, boolean>
>;

const nothing: DeactivationValues = {
  notifies: false,
  comment: '',
  delete_profile: false,
  delete_public_channel_messages: false,
  delete_private_channel_messages: false,
  delete_direct_messages: false,
};

const actionLabels: Readonly<Record<DeactivationAction, string>> = {
  delete_profile: 'Their name and profile',
  delete_public_channel_messages: 'Messages in public channels',
  delete_private_channel_messages: 'Messages in private channels',
  delete_direct_messages: 'Direct messages',
};

/** Opens the form that deactivates the account of a person, with what happens to their data. */
export function openDeactivationForm(app: App, userId: number): void {
  const name = distinctUserName(app.state, userId);
  const form: Form<DeactivationValues> = {
    id: `deactivate ${userId}`,
    title: `Deactivate ${name}?`,
    isNew: true,
    saveLabel: `Deactivate ${name}`,
    initial: () => nothing,
    fields: (frame, values) => deactivationFields(frame, userId, values),
    save: async (from, _changes, values) => {
      const actions = deactivationActions.filter((one) => values[one]);
      const comment = values.notifies ? values.comment : undefined;
      await deactivateUser(from.session.context, userId, {comment, actions});
      if (actions.length > 0) return `Deactivated ${name}`;
      pushDeactivation(from, userId);
      return withUndoKey(`Deactivated ${name}`);
    },
  };
  openForm(app, form);
}

function deactivationFields({account}: Frame, userId: number, {notifies}: DeactivationValues): readonly FormField[] {
  const disabled = refusalReason(canDeactivateUser(account, userId));
  const isTheirs = (id: number) => {
    const bot = account.users.get(id);
    return bot?.botOwnerId === userId && bot.isActive;
  };
  const bots = [...account.bots.keys()].filter(isTheirs).length;
  const tooOld = disabled ?? featureProblem(account.server.level, 'deactivationActions');
  return [
    {
      kind: 'section',
      label: 'They are logged out everywhere',
      detail: bots === 0 ? 'their messages stay' : `messages stay; also ends ${countedNoun(bots, 'bot')}`,
    },
    {kind: 'switch', key: 'notifies', label: 'Send them an email', disabled},
    ...(notifies
      ? [{kind: 'text', key: 'comment', label: 'Comment', isMultiline: true, disabled} satisfies FormField]
      : []),
    {kind: 'section', label: 'Delete for good'},
    ...deactivationActions.map((key): FormField => {
      return {kind: 'switch', key, label: actionLabels[key], disabled: tooOld, help: 'Undo does not bring this back.'};
    }),
  ];
}

/** Reactivates a person or a bot. */
export function reactivate(app: App, userId: number): void {
  const name = distinctUserName(app.state, userId);
  requestFromServer(app, {
    progressText: `Reactivating ${name}…`,
    send: () => reactivateUser(app.session.context, userId),
    doneText: () => `Reactivated ${name}`,
    failureText: `${name} was not reactivated`,
  });
}

/** Puts the deactivation of a person or a bot into the undo history. */
export function pushDeactivation(app: App, userId: number): void {
  const name = distinctUserName(app.state, userId);
  app.undoStack.push({
    label: `Deactivated ${name}`,
    undo: () => {
      reactivate(app, userId);
      return `Reactivating ${name}…`;
    },
  });
}

import {requestFromServer} from '#ui/actions/server-request.ts';
import {type FormAction, formAction} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {choosePicture} from '#ui/people/picture.ts';
import {administratorReason} from './organization-rights.ts';

const maxMib = 5;
/** The value of `realm_icon_source` for a picture that an administrator uploaded. */
const uploaded = 'U';

/** The rows of a form that change the picture of the organization. */
export function iconActions(frame: Frame): readonly FormAction[] {
  const disabled = administratorReason(frame);
  const hasIcon = frame.account.realm.iconSource === uploaded;
  return [
    formAction('icon', hasIcon ? 'Change the icon…' : 'Upload an icon…', {
      detail: 'the picture of the organization in other clients',
      disabled,
      run: (app) =>
        choosePicture(app, {
          title: 'Icon of the organization',
          maxMib,
          send: (from, file) => from.session.context.api.uploadIcon({file}),
        }),
    }),
    ...(hasIcon ? [removeAction(disabled)] : []),
  ];
}

function removeAction(disabled: string | undefined): FormAction {
  return formAction('remove icon', 'Remove the icon…', {
    disabled,
    confirm: {title: 'Remove the icon?', yes: 'Remove the icon', detail: 'clients show a generated one'},
    run: (app) =>
      requestFromServer(app, {
        send: () => app.session.context.api.removeIcon(),
        doneText: () => 'Removed the icon of the organization',
        failureText: 'The icon was not removed',
      }),
  });
}

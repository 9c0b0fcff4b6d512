import type {App} from '#ui/core/app.ts';
import {formField} from '#ui/core/form.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {ownerReason} from './organization-rights.ts';

/** Asks an owner to type the name of the organization, and deactivates it. */
export function openDeactivationForm(app: App): void {
  openForm<{name: string}>(app, {
    id: 'deactivate organization',
    title: 'Deactivate the organization',
    isNew: true,
    saveLabel: 'Deactivate the organization',
    initial: () => ({name: ''}),
    disabledReason: ownerReason,
    fields: ({account}) => {
      const name = account.realm.name ?? '';
      return [
        formField('text', 'name', 'Its name', {
          help: `Everybody is logged out. Nothing is deleted; only the people who run the server can make it usable again. Type “${name}” to confirm.`,
          isRequired: true,
          validate: (typed) => (typed === name ? undefined : `Type “${name}”`),
        }),
      ];
    },
    save: async (from) => {
      await from.session.context.api.deactivateRealm();
      return 'Deactivated the organization';
    },
  });
}

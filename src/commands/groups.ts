import {canCreateGroup} from '#state/selectors/permissions/group-permissions.ts';
import {changeProblem} from '#ui/actions/server-request.ts';
import {openNewGroupForm} from '#ui/groups/group-form.ts';
import {openGroupList} from '#ui/groups/group-list.ts';
import type {Command} from './command.ts';

export const groupCommands: readonly Command[] = [
  {
    id: 'group.list',
    title: 'User groups',
    aliases: ['groups', 'group members', 'join group', 'leave group', 'teams', 'edit group', 'group permissions'],
    contexts: ['nav'],
    opensTextField: true,
    run: openGroupList,
  },
  {
    id: 'group.new',
    title: 'Create a user group',
    aliases: ['new group', 'add group', 'create group'],
    contexts: ['nav'],
    opensTextField: true,
    disabledReason: (app) => {
      const permission = canCreateGroup(app.state, app.clock.now());
      return permission.ok ? changeProblem(app) : permission.reason;
    },
    run: openNewGroupForm,
  },
];

import type {AccountState} from '#state/state.ts';
import type {ActionHandler} from './action-handler.ts';

/** Sets the user's status. Empty text and emoji clear it. */
export interface StatusAction {
  readonly kind: 'status';
  readonly text: string;
  readonly emojiName: string;
  readonly emojiCode: string;
  readonly reactionType: string;
}

export const statusHandler: ActionHandler<StatusAction> = {
  effective: (state, action) => (sameStatus(ownStatus(state), action) ? undefined : action),

  optimisticEvents: (state, action) => [
    {
      type: 'user_status',
      id: -1,
      user_id: state.self.userId,
      status_text: action.text,
      emoji_name: action.emojiName,
      emoji_code: action.emojiCode,
      reaction_type: action.reactionType,
    },
  ],

  inverse: (state) => ownStatus(state),

  request: (api, {text, emojiName, emojiCode, reactionType}, signal) =>
    api.updateStatus(
      {
        status_text: text,
        emoji_name: emojiName,
        ...(emojiName !== '' && {emoji_code: emojiCode, reaction_type: reactionType}),
      },
      {signal},
    ),
};

function ownStatus(state: AccountState): StatusAction {
  const status = state.statuses.get(state.self.userId);
  return {
    kind: 'status',
    text: status?.statusText ?? '',
    emojiName: status?.emojiName ?? '',
    emojiCode: status?.emojiCode ?? '',
    reactionType: status?.reactionType ?? '',
  };
}

function sameStatus(a: StatusAction, b: StatusAction): boolean {
  return a.text.trim() === b.text.trim() && a.emojiName === b.emojiName && a.emojiCode === b.emojiCode;
}

import {keepIfEqual, withSlices} from '#state/immutable-updates.ts';
import type {AccountState} from '#state/state.ts';
import type {VideoTokenEvent} from '#wire/events/video-token.ts';

export function applyVideoToken(state: AccountState, event: VideoTokenEvent): AccountState {
  const videoTokens = {...state.videoTokens, [event.provider]: event.value};
  return withSlices(state, {videoTokens: keepIfEqual(state.videoTokens, videoTokens)});
}

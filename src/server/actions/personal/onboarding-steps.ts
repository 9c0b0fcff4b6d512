import type {Database} from '#server/db/database.ts';
import {check} from '#server/errors.ts';
import {type Route, route} from '#server/route.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

export const onboardingRoutes: readonly Route[] = [
  route(otherEndpoints.markOnboardingStep, 'person', ({db, actor, emit}, {onboarding_step: name}) => {
    check(
      steps.some((step) => step.name === name),
      `Unknown onboarding_step: ${name}`,
    );
    db.insertNewRow('onboarding_step', {user_id: actor.id, name});
    emit('onboarding_steps', [actor.id], {onboarding_steps: onboardingSteps(db, actor.id)});
  }),
];

/** The notices that Zulip's applications show once, by name. */
const notices = [
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
  'navigation_tour_video',
  'intro_go_to_conversation_tooltip',
];

const actions = ['narrow_to_dm_with_welcome_bot_new_user'];

const steps = [
  ...notices.map((name) => ({type: 'one_time_notice', name})),
  ...actions.map((name) => ({type: 'one_time_action', name})),
];

/** Returns the steps that the user has not seen. */
export function onboardingSteps(db: Database, userId: number): readonly {type: string; name: string}[] {
  const seen = new Set(db.pluck<string>('SELECT name FROM onboarding_step WHERE user_id = ?', userId));
  return steps.filter(({name}) => !seen.has(name));
}

import {acceptBannerOffer, retryConnection, retryProblem} from '#app/chrome/accept-banner-offer.ts';
import type {Command} from './command.ts';

export const connectionCommands: readonly Command[] = [
  {
    id: 'banner.accept',
    title: 'Accept banner: reconnect, log in, subscribe',
    contexts: ['banner'],
    isKeyOnly: true,
    hint: 'accept',
    hints: {banner: 1},
    worksBeforeFirstPaint: true,
    run: acceptBannerOffer,
  },
  {
    id: 'connection.retry',
    title: 'Reconnect now',
    aliases: ['retry', 'connect', 'online'],
    contexts: ['nav'],
    worksBeforeFirstPaint: true,
    disabledReason: retryProblem,
    run: retryConnection,
  },
];

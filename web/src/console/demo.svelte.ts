// The demonstration's own sign-ins, so that a visitor need not type passwords that nobody chose. A house at work has none.

import { guest } from '../lib/api';
import type { DemoSignIn, Post } from '../lib/wire';
import { postOf, reaches } from './authority';

class Visitors {
  people = $state.raw<DemoSignIn[]>([]);
  #asked = false;

  /** Asks once. */
  ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    guest()
      .then((told) => (this.people = told?.people.filter(({ role }) => postOf(role)) ?? []))
      .catch(() => null);
  }

  /** Those of this post and above, one of each. */
  from(least: Post): DemoSignIn[] {
    const able = this.people.filter(({ role }) => {
      const post = postOf(role);
      return post !== null && reaches(post, least);
    });
    return able.filter((it, at) => able.findIndex(({ role }) => role === it.role) === at);
  }
}

export const visitors = new Visitors();

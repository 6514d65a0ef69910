// Who leads which role, in a sentence.

import { leads, roleOf } from './lane.js';

/** The instance that leads the role and its token, or null. With two at odds the larger token is right. */
export function leaderOf(lab, role) {
  return lab.instances
    .filter((instance) => leads(instance, role))
    .map((instance) => ({ name: instance.name, token: roleOf(instance, role).token, cut: instance.cut }))
    .sort((a, b) => b.token - a.token)[0] ?? null;
}

/** The headline: who leads, or since when nobody does and what is going on about it. */
export function headline(lab, history, role) {
  const leader = leaderOf(lab, role);
  const gap = history.gaps.findLast((each) => each.role === role && each.to === null);
  if (leader && !gap) {
    return { leader: leader.name, token: leader.token, since: null, hint: doom(lab, leader) };
  }
  if (!gap && history.terms.every((each) => each.role !== role)) {
    return { leader: null, token: null, since: null, hint: 'Not yet: the instances start, and find each other.' };
  }
  return { leader: null, token: null, since: gap ? gap.from : null, hint: hint(lab, role, leader) };
}

/** Why a leader that leads now will not for long. */
function doom(lab, leader) {
  if (lab.broker.state !== 'UP') {
    return 'The broker is away, and its lease runs out.';
  }
  return leader.cut ? 'It is cut off, and its lease runs out.' : '';
}

function hint(lab, role, leader) {
  if (lab.broker.state !== 'UP') {
    return 'The broker is away: no lease can be renewed, none can be claimed.';
  }
  const holder = lab.instances.find((each) => roleOf(each, role).leaseLeft > 0 && (each.process === 'FROZEN' || each.cut));
  if (holder) {
    return `${holder.name} is ${holder.cut ? 'cut off' : 'frozen'}, and its lease has to run out first.`;
  }
  const claimant = lab.instances.find((each) => each.process === 'RUNNING' && roleOf(each, role).state === 'CLAIMED');
  if (claimant) {
    return `${claimant.name} has claimed it, and waits for the old lease to run out.`;
  }
  if (leader) {
    return `${leader.name} is about to lead.`;
  }
  return lab.instances.some((each) => each.process === 'RUNNING') ? '' : 'No instance runs that could.';
}

/** A row per role: its leader now, for the table. */
export function leadersByRole(lab, history) {
  return lab.roles.map((role) => {
    const { leader, token } = headline(lab, history, role);
    const term = history.terms.findLast((each) => each.role === role && each.instance === leader && each.token === token);
    return { role, leader, token, since: term ? term.from : null };
  });
}

// Entries of the ledger: what stands in the topic, and what the broker did not let in.

/** Entries newest first. A refused one says who had taken over meanwhile, where the history knows. */
export function entriesOf(entries, terms) {
  return entries.map((each) => ({
    ...each,
    key: `${each.instance} ${each.token} ${each.number} ${each.state}`,
    tone: each.state.toLowerCase(),
    outcome: OUTCOMES[each.state] ?? each.state.toLowerCase(),
    why: why(each, terms),
  }));
}

const OUTCOMES = { COMMITTED: 'committed', REFUSED: 'refused', FAILED: 'failed' };

const withoutPackages = (text) => text.replace(/\b(?:[a-z]\w*\.)+([A-Z]\w*)/g, '$1');

function why(entry, terms) {
  if (entry.state === 'COMMITTED') {
    return '';
  }
  if (entry.state === 'FAILED') {
    return `The write failed${entry.reason ? `: ${withoutPackages(entry.reason)}` : '.'}`;
  }
  const since = terms.findLast((term) => term.role === 'ledger' && term.token > entry.token && term.from <= entry.at);
  const successor = since ? `${since.instance} leads since with token ${since.token}` : 'another leads since';
  return `Token ${entry.token} is stale: ${successor}. The broker refused the transaction, so nothing of it is in the ledger.`;
}

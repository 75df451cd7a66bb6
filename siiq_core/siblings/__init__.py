"""Further methods on the same evidence. They read evidence and params; nothing of them feeds SI-IQ, nor the other way."""

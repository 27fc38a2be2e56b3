"""Fictional legal sentences on which two forms of one encoder are compared; must not know any encoder."""

from __future__ import annotations

import numpy as np

from briefbank.models.encoders.port import Embeddings

LEAST_MEAN_COSINE = 0.99
LEAST_TOP_10_OVERLAP = 0.97


def agreement(exact: Embeddings, other: Embeddings) -> tuple[float, float]:
    """Mean cosine of the rows of two encodings, and the share of each row's ten nearest others that both find."""
    cosine = float((exact * other).sum(axis=1).mean())
    pairs = zip(_nearest(exact), _nearest(other), strict=True)
    return cosine, float(np.mean([len(set(a) & set(b)) / len(a) for a, b in pairs]))


def agrees(exact: Embeddings, other: Embeddings) -> bool:
    """Whether the other encoding may stand in for the exact one."""
    cosine, overlap = agreement(exact, other)
    return cosine >= LEAST_MEAN_COSINE and overlap >= LEAST_TOP_10_OVERLAP


def _nearest(vectors: Embeddings) -> list[list[int]]:
    similarity = vectors @ vectors.T
    np.fill_diagonal(similarity, -np.inf)
    return [[int(index) for index in row] for row in np.argsort(-similarity, axis=1, kind="stable")[:, :10]]


def calibration_sentences() -> list[str]:
    """Sentences of one to two lines on the matters of criminal appeals."""
    return _SENTENCES.strip().splitlines()


def calibration_passages() -> list[str]:
    """Eight passages of about 150 words, as indexing meets them: runs of the sentences, each begun elsewhere."""
    sentences = calibration_sentences()
    return [" ".join((sentences * 2)[start : start + 9]) for start in range(0, len(sentences), 8)]


_SENTENCES = """
The officer had no reasonable suspicion when she ordered the driver out of the car at the side of the road.
Once the ticket was written, the purpose of the traffic stop was over and every further minute was unlawful.
Consent that follows an illegal detention is presumed to be the fruit of that detention.
The State must prove by clear and convincing evidence that the occupant knew he could refuse the search.
The smell of smoke alone did not allow the troopers to open the locked trunk.
No exigency excused the failure to apply for a warrant before entering the apartment.
The affidavit rested on an unnamed informant whose reliability nobody had tested.
The inventory of the impounded van followed no written policy of the department.
A pat-down is limited to weapons, and a soft paper packet cannot be mistaken for one.
The phone was searched two weeks after the arrest without any judicial approval.
The warnings were read only after the defendant had already confessed in the patrol car.
He asked twice whether he could speak with a lawyer, and the detectives went on with their questions.
The interrogation lasted eleven hours, during which the boy of sixteen was not allowed to call his mother.
The waiver form was signed in a language that the suspect could not read.
A promise of leniency by the sergeant overbore the will of an exhausted young man.
The statement made at the hospital was not voluntary, since she was under heavy medication.
The witness chose the photograph after the detective remarked that the suspect was among the six.
The lineup was suggestive because only one man wore the red jacket that the victim had described.
The identification was made across a dark street, under stress, and by a stranger of another race.
The judge declined to instruct the jury on the factors that make eyewitness memory unreliable.
The neighbor repeated what a child had told her a week before, and no exception to the hearsay rule applied.
The laboratory report came in without the analyst who had performed the test.
The recorded call to the dispatcher was testimonial because the emergency had already ended.
The excited utterance came three hours after the event, when all excitement had passed.
The business record was offered by a clerk who knew nothing about how it had been made.
Evidence of an earlier burglary was admitted only to show that the accused was a bad man.
The prior convictions were so remote that their use to impeach him was unfair.
The judge failed to sanitize the old offense, which was the same as the one on trial.
The probative value of the photographs of the wound was small, and their effect on the jury great.
The expert in gang culture told the jury what the defendant must have been thinking.
The chemist could not explain the error rate of the method or name a laboratory that had validated it.
Testimony on the usual behavior of abused children went beyond what science supports.
The blood sample passed through four hands, and two of them left no signature in the log.
In closing, the prosecutor called the defense a smoke screen and vouched for her own witnesses.
The prosecutor told the jurors that they would be responsible for the next victim if they acquitted.
Counsel did not object, so the remarks are reviewed for plain error.
The silence of the accused at the time of arrest was used against him in cross-examination.
The jury was never told that the State had the burden to disprove self-defense beyond a reasonable doubt.
A rational jury could have found passion upon provocation, so the lesser charge had to be given.
The charge on accomplice liability did not say that the helper must share the purpose of the principal.
The verdict sheet left out the question of whether the weapon was operable.
The supplemental instruction pressed the last holdout to give up an honest belief.
The court removed a deliberating juror for no better reason than that he disagreed with the rest.
A juror searched for the intersection on the internet and told the others what she had found.
The peremptory strikes removed every juror of color, and the reasons given do not survive comparison.
The motion for acquittal should have been granted, as nothing tied the accused to the drugs in the hallway closet.
Mere presence at the scene is not enough to prove constructive possession.
The State proved no agreement, only that the two cousins had been seen talking in a park.
The taking of the bicycle was theft at most, because no force was used or threatened.
The aggravating factors counted the same injury twice, once as an element and again to lengthen the term.
The judge gave no reasons for making the sentences consecutive, and did not weigh their overall fairness.
The youth of the defendant, his troubled home and his prospects of reform were never considered.
A term without parole of thirty years for a robbery without a weapon shocks the conscience.
Restitution was ordered without a hearing on the loss or on the ability to pay.
The plea was not knowing, since nobody told him that he would be deported.
The factual basis for the plea does not show that she intended to cause serious harm.
He should be allowed to withdraw his plea, having asserted a colorable claim of innocence before sentence.
Trial counsel never spoke with the two alibi witnesses whose names were in the file.
The lawyer represented both brothers although their defenses pointed at each other.
There is a reasonable probability that the result would have been different with competent counsel.
The petition was filed out of time because the office had lost the letter that asked for an appeal.
The State kept back a report in which its main witness had named another man.
The delay of three years between indictment and trial was caused by the State and harmed the defense.
Probation was revoked on hearsay alone, without notice of the conditions said to be violated.
"""
